import { totalmem } from 'node:os';
import { StrataError } from '../../model/errors.js';
import { DEFAULT_LIMITS, type ParseLimits } from '../../parse/parser.js';

/** What preparing one document may take. Plain data: it travels to the process that prepares. */
export interface DocumentLimits {
  /** Of work, by the processor's clock where the system tells. */
  readonly seconds: number;
  /** What its process may occupy. */
  readonly memory_megabytes: number;
  readonly sections: number;
  readonly chunks: number;
  /** Bytes that it may take in the store. */
  readonly written: number;
  readonly parse: ParseLimits;
}

const MEGABYTE = 2 ** 20;

/** A store takes three to six times a text of prose, ten times a file of many small records. */
const AMPLIFICATION = 20;
/** What any file may take, however small: compressed formats hold ten times their size. */
const SMALL_WRITTEN = 4 * MEGABYTE;

/** 10 s is what a person waits before thinking a program hangs; PDFs read at 1–4 s per megabyte on a slow core. */
const SECONDS = 10;
const SECONDS_PER_MEGABYTE = 3;
const MOST_SECONDS = 300;

/**
 * A process has 60 MB before it reads a byte. Text needs 8 times its size, JSON of many small values 20 times. Beyond
 * half of the machine's memory, or 4 GB, a file is too large for it.
 */
export const SMALL_MEMORY = 352;
const MEMORY_PER_MEGABYTE = 24;
const MOST_MEMORY = Math.min(4096, Math.round(totalmem() / 2 / MEGABYTE));

/** In a server every file comes from a caller who may mean harm, and others wait for an answer. */
const SERVER_SECONDS = 10;
const SERVER_MEMORY = 512;

/** Scaled with the file's size; `guarded` for servers. The environment wins, for files that need more. */
export function documentLimits(bytes: number, guarded: boolean): DocumentLimits {
  const megabytes = Math.max(0, bytes) / MEGABYTE;
  const base = fromEnvironment('STRATA_PARSE_SECONDS');
  const scaled = (base ?? SECONDS) + SECONDS_PER_MEGABYTE * megabytes;
  return {
    seconds: guarded ? (base ?? SERVER_SECONDS) : Math.min(Math.max(MOST_SECONDS, base ?? 0), scaled),
    memory_megabytes:
      fromEnvironment('STRATA_PARSE_MEMORY_MB') ?? (guarded ? SERVER_MEMORY : memoryFor(megabytes)),
    sections: 10_000 + Math.ceil(bytes / 8),
    chunks: 1_000 + Math.ceil(bytes / 8),
    written: SMALL_WRITTEN + AMPLIFICATION * bytes,
    parse: {
      ...DEFAULT_LIMITS,
      expanded: Math.min(DEFAULT_LIMITS.expanded, 64 * MEGABYTE + 100 * bytes),
    },
  };
}

/**
 * A page is read in 2–10 s of work by the native runtime and in six times as long by WebAssembly; a process that reads
 * occupies 0.6–0.9 GB (docs/decisions/ocr.md). The time is a page's, not the document's: it begins anew with each.
 */
const OCR_SECONDS = 120;
const OCR_MEMORY = 1536;

/** Of a job that reads pictures: no server does. */
export function ocrLimits(bytes: number): DocumentLimits {
  const limits = documentLimits(bytes, false);
  return {
    ...limits,
    seconds: limits.seconds + OCR_SECONDS,
    memory_megabytes: Math.max(limits.memory_megabytes, OCR_MEMORY),
  };
}

/** In steps, so that a process can serve many files of about a size. */
function memoryFor(megabytes: number): number {
  let memory = SMALL_MEMORY;
  while (memory < SMALL_MEMORY / 2 + MEMORY_PER_MEGABYTE * megabytes) memory *= 2;
  return Math.min(memory, MOST_MEMORY);
}

function fromEnvironment(name: string): number | undefined {
  const value = Number(process.env[name]);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}

/** Throws LIMIT where there is more of something than the document may have. */
export function within(count: number, most: number, what: string): void {
  if (count <= most) return;
  const message = `would take ${count} ${what}, more than the ${most} a file of its size may have`;
  throw new StrataError('LIMIT', message);
}
