import type { Backend, Change } from '../store/backend.js';

export const WAITING = 'Another process is writing to this library; waiting for it.';

/** Whoever waits for another writer is told after a second, whatever the command. */
export function tellWhenWaiting(backend: Backend, onNotice: ((line: string) => void) | undefined): Backend {
  if (onNotice === undefined) return backend;
  const commit = (change: Change) => backend.commit({ onWait: () => onNotice(WAITING), ...change });
  return { ...backend, commit };
}
