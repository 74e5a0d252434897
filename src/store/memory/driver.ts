import type { Driver } from '../driver.js';

/** Kept nowhere: for trying out, and for what must not leave a trace. */
export const memoryDriver: Driver = {
  name: 'memory',
  usage: 'memory',
  open: async () => (await import('./memory.js')).memoryBackend(),
};
