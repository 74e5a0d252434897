import { constants } from 'node:fs';
import { access, type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ErrorCode, reasonOf } from '../../model/errors.js';
import { isObject } from '../../model/json/json.js';
import { safeJson } from '../../model/json/safe-json.js';
import { acquireLock } from '../../store/lock/lock.js';
import { isText } from '../../store/stored.js';
import type { Principal } from './principal.js';

/**
 * Who did what, one line of JSON each, in the library's folder: `audit.jsonl`, then `audit.1.jsonl` and so on, the oldest
 * last. A file and not records of the library, because every record is a change of the library, and a search is none.
 * It holds no keys, no questions and no contents of documents.
 */
export interface AuditEntry {
  readonly at: string;
  readonly by: {
    readonly kind: Principal['kind'];
    readonly name: string;
    /** The prefix of a key, or the beginning of a token's digest. */
    readonly key: string;
  } | null;
  readonly via: 'cli' | 'http' | 'mcp';
  /** The operation or the tool; `authenticate` where a caller was turned away at the door. */
  readonly action: string;
  /** What it was done to, where it has a name. */
  readonly subject: string | null;
  readonly outcome: 'done' | 'refused' | 'failed';
  readonly code: ErrorCode | 'UNAUTHORIZED' | null;
  /** The network address of the caller. */
  readonly address: string | null;
}

export interface AuditLimits {
  readonly maxBytes: number;
  /** Files in all: the oldest is removed when there would be one more. */
  readonly maxFiles: number;
}

/** About 20,000 entries per file. */
const LIMITS: AuditLimits = { maxBytes: 4 * 2 ** 20, maxFiles: 5 };
const LONGEST_TEXT = 300;
/** No link is followed and no pipe waited for, since the folder may be a stranger's. */
const SAFELY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | SAFELY;

const fileOf = (location: string, number: number): string =>
  join(location, number === 0 ? 'audit.jsonl' : `audit.${number}.jsonl`);

export interface AuditLog {
  /** Never fails and never waits: what cannot be written is told once through `onProblem`. */
  note(entry: Omit<AuditEntry, 'at'>): void;
  /** Resolves when all that was noted is on disk. */
  flush(): Promise<void>;
}

const isWritable = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );

/** Several processes may write to the same log: each line is one append. */
export function auditLog(
  location: string,
  onProblem: (line: string) => void,
  limits: AuditLimits = LIMITS,
): AuditLog {
  let waiting: string[] = [];
  let writing: Promise<void> | null = null;
  let complained = false;
  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const lines = waiting;
      waiting = [];
      try {
        if ((await append(fileOf(location, 0), lines.join(''))) > limits.maxBytes)
          await rotate(location, limits);
      } catch (error) {
        // In a library that may not be written nothing can have been changed: its readers need not hear of it.
        if (!complained && (await isWritable(location)))
          onProblem(`the audit log cannot be written: ${reasonOf(error)}`);
        complained = true;
      }
    }
    writing = null;
  };
  return {
    note(entry) {
      waiting.push(lineOf({ at: new Date().toISOString(), ...entry }));
      writing ??= write();
    },
    flush: async () => {
      await writing;
    },
  };
}

/** Gives the file's size afterwards. */
async function append(path: string, text: string): Promise<number> {
  return withFile(await open(path, APPEND, 0o600), async (file) => {
    await file.appendFile(text);
    return (await file.stat()).size;
  });
}

async function withFile<T>(file: FileHandle, use: (file: FileHandle) => Promise<T>): Promise<T> {
  try {
    if (!(await file.stat()).isFile()) throw new Error('a pipe or device stands in its place');
    return await use(file);
  } finally {
    await file.close();
  }
}

/** Whoever comes second finds a small file again and leaves it. */
async function rotate(location: string, { maxBytes, maxFiles }: AuditLimits): Promise<void> {
  const lock = await acquireLock(join(location, 'audit-lock'));
  try {
    const size = await stat(fileOf(location, 0)).then(
      (found) => found.size,
      () => 0,
    );
    if (size <= maxBytes) return;
    await rm(fileOf(location, maxFiles - 1), { force: true });
    for (let number = maxFiles - 2; number >= 0; number--) {
      await rename(fileOf(location, number), fileOf(location, number + 1)).catch(onlyIfThere);
    }
  } finally {
    await lock.release();
  }
}

function onlyIfThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

const short = (text: string): string =>
  text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;

function lineOf(entry: AuditEntry): string {
  const subject = entry.subject === null ? null : short(entry.subject);
  return `${safeJson(JSON.stringify({ ...entry, action: short(entry.action), subject }))}\n`;
}

/** Enough to tell two tokens of one name apart; a key's prefix is public anyway. */
export const authorOf = ({ kind, name, key }: Principal): AuditEntry['by'] => ({
  kind,
  name,
  key: kind === 'token' ? key.slice(0, 12) : key,
});

export interface AuditQuery {
  readonly limit: number;
  readonly user?: string | undefined;
  readonly action?: string | undefined;
  readonly since?: number | undefined;
}

/** The newest first. */
export async function readAudit(location: string, query: AuditQuery): Promise<readonly AuditEntry[]> {
  const found: AuditEntry[] = [];
  for (let number = 0; number < LIMITS.maxFiles && found.length < query.limit; number++) {
    const lines = (await textOf(fileOf(location, number))).split('\n').reverse();
    for (const line of lines) {
      const entry = entryIn(line);
      if (entry !== null && isWanted(entry, query)) found.push(entry);
      if (found.length === query.limit) break;
    }
  }
  return found;
}

/** Twice what we would write: a longer file is no log of ours. */
const LONGEST_FILE = 2 * LIMITS.maxBytes;

async function textOf(path: string): Promise<string> {
  try {
    return await withFile(await open(path, constants.O_RDONLY | SAFELY), async (file) => {
      if ((await file.stat()).size > LONGEST_FILE) throw new Error('too long');
      return file.readFile('utf8');
    });
  } catch {
    // Not there, or not ours: a log that somebody planted says nothing.
    return '';
  }
}

function isWanted(entry: AuditEntry, { user, action, since }: AuditQuery): boolean {
  if (user !== undefined && entry.by?.name !== user) return false;
  if (action !== undefined && entry.action !== action) return false;
  return since === undefined || Date.parse(entry.at) >= since;
}

const KINDS: readonly unknown[] = ['local', 'user', 'token', 'anonymous'];
const VIAS: readonly unknown[] = ['cli', 'http', 'mcp'];
const OUTCOMES: readonly unknown[] = ['done', 'refused', 'failed'];
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);

function entryIn(line: string): AuditEntry | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  return isEntry(value) ? value : null;
}

const isAuthor = (value: unknown): boolean =>
  isObject(value) && KINDS.includes(value.kind) && isText(value.name) && isText(value.key);

const isEntry = (value: unknown): value is AuditEntry =>
  isObject(value) &&
  isText(value.at) &&
  !Number.isNaN(Date.parse(value.at)) &&
  (value.by === null || isAuthor(value.by)) &&
  VIAS.includes(value.via) &&
  isText(value.action) &&
  isTextOrNull(value.subject) &&
  OUTCOMES.includes(value.outcome) &&
  isTextOrNull(value.code) &&
  isTextOrNull(value.address);
