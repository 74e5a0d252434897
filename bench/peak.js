// The largest memory of this process and all below it, in MB, looked at every 50 ms by a thread of its own (Linux only). Pages
// that processes share count in each, so the figure is an upper bound.
import { readdirSync, readFileSync } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

/** Begins to watch; the function it gives tells the peak so far. */
export function watchPeak() {
  const peak = new Float64Array(new SharedArrayBuffer(8));
  new Worker(new URL(import.meta.url), { workerData: { peak, root: process.pid } }).unref();
  return () => peak[0];
}

function residentOfTree(root) {
  const parents = new Map();
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number))
    try {
      parents.set(pid, Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1]));
    } catch {
      // It has ended meanwhile.
    }
  const isBelow = (pid) => pid === root || (parents.has(pid) && isBelow(parents.get(pid)));
  let pages = 0;
  for (const pid of parents.keys())
    if (isBelow(pid))
      try {
        pages += Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
      } catch {
        // It has ended meanwhile.
      }
  return (pages * 4096) / 2 ** 20;
}

if (!isMainThread && workerData?.peak !== undefined)
  setInterval(() => {
    workerData.peak[0] = Math.max(workerData.peak[0], residentOfTree(workerData.root));
  }, 50);
