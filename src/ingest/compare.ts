import type { AddOptions } from './add-options.js';
import type { AddEntry } from './add-report.js';
import { type Failures, failedBefore } from './failures.js';
import type { Candidate } from './gather.js';
import type { IngestLog } from './ingest-log.js';
import { isCutTheSame, type Known, type KnownSources } from './known.js';
import { type Incoming, incoming, skipReason } from './prepare/read.js';
import { isReadTheSame, type Ocr } from './scans.js';

/** What is to be prepared, and the document it was until its file was moved. */
export interface Compared {
  readonly from: Candidate | Incoming;
  readonly moved?: Known | undefined;
}

interface ComparisonParts {
  readonly known: KnownSources;
  readonly failures: Failures;
  readonly log: IngestLog;
  readonly options: AddOptions;
  readonly root: string;
  /** How documents are cut now: see `chunkingKey`. */
  readonly chunking: string;
  readonly ocr: Ocr | undefined;
}

const UNCHANGED: AddEntry = { outcome: 'unchanged', source_path: '' };

/** Files against what the library knows: by size and time, then by the bytes' hash, then by the hash under other names. */
export class Comparison {
  readonly #parts: ComparisonParts;

  constructor(parts: ComparisonParts) {
    this.#parts = parts;
  }

  /** Without reading: it has not changed, or has failed before and not changed since. */
  isSettled(candidate: Candidate): boolean {
    const { known, failures, log, options, ocr } = this.#parts;
    if (options.force || candidate.isPage) return false;
    const { source, source_path, size, mtime_ms } = candidate;
    const before = known.bySource.get(source);
    if (before?.size === size && before.mtime_ms === mtime_ms && this.#isMadeTheSame(before)) {
      log.note(UNCHANGED);
      return true;
    }
    const failed = options.password === undefined ? failedBefore(failures, candidate) : undefined;
    // Who could not read it then may be able to now.
    if (failed?.code === 'NEEDS_OCR' && ocr !== undefined) return false;
    if (failed === undefined) return false;
    const { reason, code } = failed;
    log.note({ outcome: 'failed', source_path, reason, code, known: true });
    return true;
  }

  /** What may be known is read here and compared; whoever prepares the others can read them too. */
  async compared(candidate: Candidate): Promise<Compared | null> {
    const { known, options } = this.#parts;
    const mustCompare = candidate.isPage || options.dry_run || known.mayHold(candidate);
    return mustCompare ? this.#byBytes(candidate) : { from: candidate };
  }

  /** Null where nothing is left to prepare: the bytes are known, here or under another name, or are no document. */
  async #byBytes(candidate: Candidate): Promise<Compared | null> {
    const { known, log, options, root } = this.#parts;
    const { source, source_path } = candidate;
    const before = known.bySource.get(source);
    const mayKeep = before !== undefined && this.#isMadeTheSame(before) && !options.force;
    const from = await incoming(candidate, mayKeep ? before : undefined, options);
    if (from === null) {
      log.note({ ...UNCHANGED, source_path });
      return null;
    }
    const { bytes_hash, facts, updated_at } = from;
    const skipped = skipReason(from);
    if (skipped !== null) {
      log.note({ outcome: 'skipped', source_path, reason: skipped });
      return null;
    }
    const touch = ({ id, metadata }: Known) => [{ id, updated_at, metadata: { ...metadata, ...facts } }];
    if (mayKeep && before.bytes_hash === bytes_hash) {
      await log.commit({ touch: touch(before) }, { ...UNCHANGED, source_path });
      return null;
    }
    const isNew = before === undefined && candidate.isPage !== true;
    const moved = isNew ? await known.movedFrom(bytes_hash, root) : undefined;
    if (moved === undefined || !this.#isMadeTheSame(moved)) return { from, moved };
    const { id } = moved;
    const rename = [{ id, source, source_path }];
    const entry: AddEntry = { outcome: 'renamed', source_path, id, from: moved.source_path };
    await log.commit({ rename, touch: touch(moved) }, entry);
    return null;
  }

  /** It was cut and read as it would be now. */
  #isMadeTheSame(known: Known): boolean {
    const { chunking, options, ocr } = this.#parts;
    return isCutTheSame(known, chunking, options) && isReadTheSame(known.metadata, ocr);
  }
}
