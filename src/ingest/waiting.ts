import type { Backend, Change } from '../store/backend.js';

export const WAITING = 'Another process is writing to this library; waiting for it.';

/** B6: whoever waits for another writer is told after a second, whatever the command. */
export function tellWhenWaiting(backend: Backend, onNotice: ((line: string) => void) | undefined): Backend {
  if (onNotice === undefined) return backend;
  const commit = (change: Change) => backend.commit({ onWait: () => onNotice(WAITING), ...change });
  return new Proxy(backend, {
    get(target, name) {
      if (name === 'commit') return commit;
      const own: unknown = Reflect.get(target, name);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
}
