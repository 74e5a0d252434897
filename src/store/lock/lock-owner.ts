import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';

/**
 * Who holds a lock. A pid alone is not enough: pids are used again, after a reboot at the latest. A process is the
 * same one only if its start time is the same too.
 */
export interface LockOwner {
  readonly pid: number;
  /** When the process started, in the system's own words; null where it cannot be told. */
  readonly start: string | null;
  /** Processes of another machine (or container) cannot be looked at from here. */
  readonly host: string;
}

/** `unknown`: on another machine. It counts as alive, for a live owner's lock is never taken. */
export type OwnerState = 'alive' | 'dead' | 'unknown';

let self: Promise<LockOwner> | undefined;

export function thisProcess(): Promise<LockOwner> {
  self ??= startOf(process.pid).then((start) => ({
    pid: process.pid,
    start: start === 'dead' ? null : start,
    host: hostname(),
  }));
  return self;
}

export async function stateOf(owner: LockOwner): Promise<OwnerState> {
  if (owner.host !== hostname()) return 'unknown';
  if (!pidExists(owner.pid)) return 'dead';
  const start = await startOf(owner.pid);
  if (start === 'dead') return 'dead';
  if (start === null || owner.start === null) return 'alive';
  return start === owner.start ? 'alive' : 'dead';
}

export function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A start time that tells two processes of one pid apart; null where the system does not say. */
export async function startOf(pid: number): Promise<string | null | 'dead'> {
  if (process.platform === 'linux') return linuxStart(pid);
  if (process.platform === 'win32') return null;
  return psStart(pid);
}

async function linuxStart(pid: number): Promise<string | null | 'dead'> {
  try {
    const [stat, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    ]);
    // The name in field 2 may hold spaces and brackets: count from its last bracket on.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A killed process that its parent has not waited for yet (Z, X) writes nothing any more.
    if (fields[0] === 'Z' || fields[0] === 'X') return 'dead';
    // Field 22, in ticks since boot, so the boot belongs to it.
    return `${boot.trim()}/${fields[19]}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ESRCH' ? 'dead' : null;
  }
}

function psStart(pid: number): Promise<string | null | 'dead'> {
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { env: { LC_ALL: 'C' } }, (error, stdout) => {
      const [state, ...start] = stdout.trim().split(/\s+/);
      if (state?.startsWith('Z')) resolve('dead');
      else resolve(error || start.length === 0 ? null : start.join(' '));
    });
  });
}
