import { readFileSync } from 'node:fs';

/** Resident size, WebAssembly's memory included; 0 where the system does not tell (V8's own limit must do there). */
export function residentMegabytes(pid: number | undefined): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    return (pages * 4096) / 2 ** 20;
  } catch {
    return 0;
  }
}

/** What its main thread has worked so far: on a busy machine a file must not fail for the sake of other programs. */
export function cpuSeconds(pid: number | undefined): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    // utime and stime, in hundredths of a second on every Linux Node runs on.
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return null;
  }
}
