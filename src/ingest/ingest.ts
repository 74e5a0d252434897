import type { ChunkSettings } from '../chunk/settings.js';
import { isStrataError, reasonOf } from '../model/errors.js';
import { mintId } from '../model/id.js';
import type { Backend } from '../store/backend.js';
import type { AddOptions } from './add-options.js';
import type { AddEntry } from './add-report.js';
import { chunkingKey } from './chunking.js';
import { Committer, type Step } from './committer.js';
import { type Failures, failedBefore, forgetFailure, knownFailures, rememberFailure } from './failures.js';
import { type Candidate, type Gathered, gather, vanished } from './gather.js';
import { isCutTheSame, type Known, KnownSources } from './known.js';
import type { PrepareRequest } from './prepare/prepare.js';
import { PreparePool } from './prepare/prepare-pool.js';
import { type Incoming, incoming, skipReason } from './prepare/read.js';
import { scheduleAll } from './schedule.js';
import { WAITING } from './waiting.js';
import type { PackerOf } from './worker/job.js';

export interface IngestParts {
  readonly backend: Backend;
  readonly root: string;
  readonly location: string;
  readonly settings: ChunkSettings;
  readonly packerOf: PackerOf;
  /** For servers: see `PoolOptions`. */
  readonly guarded: boolean;
  readonly onNotice: (line: string) => void;
}

export interface Ingested {
  readonly entries: readonly AddEntry[];
  readonly chunks: { readonly kept: number; readonly added: number; readonly removed: number };
  readonly interrupted: boolean;
}

/** gather → known (size and time, then the bytes' hash, then renames) → prepare → commit */
export async function ingest(
  parts: IngestParts,
  targets: readonly string[],
  options: AddOptions,
): Promise<Ingested> {
  const { cwd, signal, onProgress } = options;
  const gathered = await gather(targets, parts, {
    cwd,
    within: options.within,
    signal,
    onFound: (done) => onProgress?.({ stage: 'Looking for files', done }),
  });
  const known = await KnownSources.of(parts.backend);
  const run = new IngestRun(parts, options, known, await knownFailures(parts.backend));
  run.noteUnread(gathered);
  await run.all(gathered.candidates);
  if (options.sync && !signal?.aborted) await run.forget(vanished(known, gathered, parts.root));
  return run.finish();
}

type Prepare = (from: Candidate | Incoming, request: PrepareRequest) => ReturnType<PreparePool['prepare']>;

/** What is to be prepared, and the document it was until its file was moved. */
interface Compared {
  readonly from: Candidate | Incoming;
  readonly moved?: Known | undefined;
}

/** A document of this id that the store did not take, with what is reported unless there is another way. */
interface RefusedFile {
  readonly candidate: Candidate;
  readonly id: string;
  readonly entry: AddEntry;
}

class IngestRun {
  readonly #parts: IngestParts;
  readonly #options: AddOptions;
  readonly #known: KnownSources;
  readonly #failures: Failures;
  readonly #committer: Committer;
  readonly #chunking: string;
  #entries: AddEntry[] = [];
  #refused: RefusedFile[] = [];
  #done = 0;
  #total = 0;

  constructor(parts: IngestParts, options: AddOptions, known: KnownSources, failures: Failures) {
    this.#parts = parts;
    this.#options = options;
    this.#known = known;
    this.#failures = failures;
    this.#chunking = chunkingKey(parts.settings);
    this.#committer = new Committer(parts.backend, () => parts.onNotice(WAITING));
  }

  noteUnread({ skips, troubles }: Gathered): void {
    for (const { source_path, reason } of skips) this.#note({ outcome: 'skipped', source_path, reason });
    for (const { source_path, problem } of troubles) {
      const isGone = this.#options.sync === true && problem.code === 'FILE_MISSING';
      const { message, code } = problem;
      if (!isGone) this.#note({ outcome: 'failed', source_path, reason: message, code });
    }
  }

  async all(candidates: readonly Candidate[]): Promise<void> {
    const before = this.#entries;
    this.#entries = [];
    let work = candidates;
    while (work.length > 0) {
      await this.#prepareAll(work.filter((candidate) => !this.#isSettled(candidate)));
      work = await this.#overtaken();
    }
    // Workers finish in any order; the report has that of the files.
    const place = new Map(candidates.map(({ source_path }, at) => [source_path, at]));
    const at = ({ source_path }: AddEntry): number => place.get(source_path) ?? -1;
    this.#entries = [...before, ...this.#entries.sort((a, b) => at(a) - at(b))];
  }

  async #prepareAll(work: readonly Candidate[]): Promise<void> {
    this.#total += work.length;
    const { packerOf, guarded, backend } = this.#parts;
    const { workers, signal, password } = this.#options;
    const pool = new PreparePool({ packerOf, guarded, documents: work.length, workers });
    const more = { driver: backend.driver, ...(password !== undefined && { password }) };
    try {
      await scheduleAll(work, { workers: pool.size, ahead: pool.ahead, signal }, (candidate, worker) =>
        this.#one(candidate, (from, request) => pool.prepare(worker, { from, request, ...more })),
      );
    } finally {
      pool.close();
    }
    await this.#committer.finish();
  }

  /**
   * Files that another process has added since this run began: a source belongs to one document, so the store refused
   * ours. They are compared with what the other has written; whatever else was refused has failed.
   */
  async #overtaken(): Promise<readonly Candidate[]> {
    const again: Candidate[] = [];
    for (const { candidate, id, entry } of this.#refused.splice(0)) {
      const document = await this.#parts.backend.documentBySource(candidate.source);
      if (document === null || document.id === id) this.#note(entry);
      else {
        this.#known.add(document);
        again.push(candidate);
      }
    }
    return again;
  }

  async forget(gone: readonly Known[]): Promise<void> {
    for (const known of gone) {
      const { id, source_path } = known;
      if (this.#known.wasMoved(known)) continue;
      await this.#commit({ remove: [id] }, { outcome: 'removed', source_path, id });
    }
  }

  async finish(): Promise<Ingested> {
    await this.#committer.finish();
    const { kept, added, removed } = this.#committer;
    const interrupted = this.#options.signal?.aborted ?? false;
    return { entries: this.#entries, chunks: { kept, added, removed }, interrupted };
  }

  /** Without reading: it has not changed, or has failed before and not changed since. */
  #isSettled(candidate: Candidate): boolean {
    if (this.#options.force || candidate.isPage) return false;
    const { source, source_path, size, mtime_ms } = candidate;
    const known = this.#known.bySource.get(source);
    if (known?.size === size && known.mtime_ms === mtime_ms && this.#isCutTheSame(known)) {
      this.#note(UNCHANGED);
      return true;
    }
    const failed = this.#options.password === undefined ? failedBefore(this.#failures, candidate) : undefined;
    if (failed) {
      const { reason, code } = failed;
      this.#note({ outcome: 'failed', source_path, reason, code, known: true });
    }
    return failed !== undefined;
  }

  /** One file, whatever becomes of it; only a failing store ends the run. */
  async #one(candidate: Candidate, prepare: Prepare): Promise<void> {
    const { source_path } = candidate;
    try {
      await this.#bring(candidate, prepare);
    } catch (error) {
      if (isStoreFailure(error)) throw error;
      const entry = failure(source_path, error);
      const records = candidate.isPage ? [] : rememberFailure(candidate, error, entry.reason ?? '');
      if (records.length > 0) await this.#commit({ records }, entry);
      else this.#note(entry);
    }
    this.#done++;
    this.#options.onProgress?.({
      stage: this.#options.dry_run ? 'Comparing files' : 'Reading files',
      done: this.#done,
      total: this.#total,
      item: source_path,
    });
  }

  async #bring(candidate: Candidate, prepare: Prepare): Promise<void> {
    const { source_path, source } = candidate;
    const known = this.#known.bySource.get(source);
    // What may be known is read here and compared; whoever prepares the others can read them too.
    const mustCompare = candidate.isPage || this.#options.dry_run || this.#known.mayHold(candidate);
    const got: Compared | null = mustCompare ? await this.#compared(candidate, known) : { from: candidate };
    if (got === null) return;
    const { from, moved } = got;
    const before = moved ?? known;
    const came = { outcome: moved ? 'renamed' : known ? 'changed' : 'added' } as const;
    const renamed = moved && { from: moved.source_path };
    if (this.#options.dry_run) {
      return this.#note({ ...came, source_path, ...(before && { id: before.id }), ...renamed });
    }
    const prepared = await prepare(from, this.#request(candidate, before));
    if ('skipped' in prepared) {
      return this.#note({ outcome: 'skipped', source_path, reason: prepared.skipped });
    }
    const { write, warnings } = prepared;
    const { id, chunk_count } = write.document;
    const records = this.#failures.has(source) ? forgetFailure(source) : [];
    await this.#commit(
      { put: [write], records },
      { ...came, ...renamed, source_path, id, chunk_count, ...(warnings.length > 0 && { warnings }) },
      (entry) => this.#refused.push({ candidate, id, entry }),
    );
  }

  /** Null where nothing is left to prepare: the bytes are known, here or under another name, or are no document. */
  async #compared(candidate: Candidate, known: Known | undefined): Promise<Compared | null> {
    const { source, source_path } = candidate;
    const mayKeep = known !== undefined && this.#isCutTheSame(known) && !this.#options.force;
    const from = await incoming(candidate, mayKeep ? known : undefined, this.#options);
    if (from === null) this.#note({ ...UNCHANGED, source_path });
    if (from === null) return null;
    const { bytes_hash, facts, updated_at } = from;
    const skipped = skipReason(from);
    if (skipped !== null) {
      this.#note({ outcome: 'skipped', source_path, reason: skipped });
      return null;
    }
    const touch = ({ id, metadata }: Known) => [{ id, updated_at, metadata: { ...metadata, ...facts } }];
    if (mayKeep && known.bytes_hash === bytes_hash) {
      await this.#commit({ touch: touch(known) }, { ...UNCHANGED, source_path });
      return null;
    }
    const isNew = known === undefined && candidate.isPage !== true;
    const moved = isNew ? await this.#known.movedFrom(bytes_hash, this.#parts.root) : undefined;
    if (moved === undefined || !this.#isCutTheSame(moved)) return { from, moved };
    const { id } = moved;
    const rename = [{ id, source, source_path }];
    const entry: AddEntry = { outcome: 'renamed', source_path, id, from: moved.source_path };
    await this.#commit({ rename, touch: touch(moved) }, entry);
    return null;
  }

  /** What reading tells is added by whoever reads: see `DocumentJob`. */
  #request({ source, source_path, name }: Candidate, before: Known | undefined): PrepareRequest {
    const { tags, collection } = this.#options;
    const { settings } = this.#parts;
    const had = before?.metadata.added_tags;
    const added_tags = [...new Set([...(Array.isArray(had) ? had : []), ...(tags ?? [])])];
    const kept = collection ?? before?.metadata.collection;
    return {
      doc_id: before?.id ?? mintId(),
      source,
      source_path,
      name,
      settings,
      updated_at: '',
      metadata: {
        chunking: this.#chunking,
        strategy: settings.strategy,
        ...(added_tags.length > 0 && { added_tags }),
        ...(kept !== undefined && { collection: kept }),
      },
    };
  }

  #isCutTheSame(known: Known): boolean {
    return isCutTheSame(known, this.#chunking, this.#options);
  }

  #note(entry: AddEntry): void {
    this.#entries.push(entry);
  }

  async #commit(
    change: Step['change'],
    entry: AddEntry,
    onFailure: (failed: AddEntry) => void = (failed) => this.#note(failed),
  ): Promise<void> {
    if (this.#options.dry_run) return this.#note(entry);
    await this.#committer.add({
      change,
      done: (error) => (error === null ? this.#note(entry) : onFailure(failure(entry.source_path, error))),
    });
  }
}

const UNCHANGED: AddEntry = { outcome: 'unchanged', source_path: '' };

const isStoreFailure = (error: unknown): boolean => isStrataError(error) && error.code.startsWith('STORE_');

/** Parsers do not know the path, and readers say it first: in either case the line names it once. */
function failure(source_path: string, error: unknown): AddEntry {
  const reason = reasonOf(error);
  return {
    outcome: 'failed',
    source_path,
    reason: reason.startsWith(`${source_path}:`) ? reason : `${source_path}: ${reason}`,
    code: isStrataError(error) ? error.code : 'INTERNAL',
  };
}
