import type { ChunkSettings } from '../chunk/settings.js';
import { isStrataError, reasonOf, StrataError } from '../model/errors.js';
import { mintId } from '../model/id.js';
import type { Backend, PackedWrite } from '../store/backend.js';
import type { AddOptions } from './add-options.js';
import type { AddEntry } from './add-report.js';
import { chunkingKey } from './chunking.js';
import { Committer, type Step } from './committer.js';
import { type Failures, failedBefore, forgetFailure, knownFailures, rememberFailure } from './failures.js';
import { type Candidate, type Gathered, gather, vanished } from './gather.js';
import { isCutTheSame, type Known, KnownSources } from './known.js';
import type { PrepareRequest } from './prepare/prepare.js';
import { PreparePool, ReadingQueue } from './prepare/prepare-pool.js';
import { type Incoming, incoming, skipReason } from './prepare/read.js';
import { estimate, isReadTheSame, meant, type Ocr, pagesToRead, type Scan } from './scans.js';
import { scheduleAll } from './schedule.js';
import { WAITING } from './waiting.js';
import type { PackerOf, PreparedDocument } from './worker/job.js';

export interface IngestParts {
  readonly backend: Backend;
  readonly root: string;
  readonly location: string;
  readonly settings: ChunkSettings;
  readonly packerOf: PackerOf;
  /** For servers: see `PoolOptions`. */
  readonly guarded: boolean;
  readonly ocr?: Ocr | undefined;
  readonly onNotice: (line: string) => void;
}

export interface Ingested {
  readonly entries: readonly AddEntry[];
  readonly chunks: { readonly kept: number; readonly added: number; readonly removed: number };
  readonly interrupted: boolean;
  /** What else a person should know. */
  readonly notices?: readonly string[];
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
  await run.all(gathered.candidates.map((candidate) => meant(candidate, parts.ocr)));
  await run.readScans();
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
  readonly #scans: Scan[] = [];
  readonly #notices: string[] = [];
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

  /** Pages that are pictures, after everything else: reading one takes seconds. What is interrupted is read next time. */
  async readScans(): Promise<void> {
    const { ocr, onNotice, backend } = this.#parts;
    const { signal, onProgress, password } = this.#options;
    const total = this.#scans.reduce((sum, { pages }) => sum + pages, 0);
    if (ocr === undefined || total === 0 || signal?.aborted) return;
    const setup = await ocr.open();
    if (setup === null) return this.#leaveUnread();
    const [pages, files] = [plural(total, 'scanned page'), plural(this.#scans.length, 'file')];
    const time = estimate(total, setup.lanes);
    onNotice(
      `Reading ${pages} of ${files} by OCR, about ${time}; Ctrl-C keeps what is read for the next time.`,
    );
    const started = performance.now();
    const queue = new ReadingQueue();
    const more = { driver: backend.driver, ocr: setup, ...(password !== undefined && { password }) };
    let before = 0;
    for (const scan of this.#scans) {
      if (signal?.aborted) break;
      const { source_path } = scan.candidate;
      const tell = (done: number): void =>
        onProgress?.({ stage: 'Reading scans', done, total, item: source_path });
      const onPage = (page: number): void => tell(before + Math.min(page, scan.pages));
      tell(before);
      await this.#readScan(scan, (from, request) =>
        queue.prepare({ from, request, ...more }, { signal, onPage }),
      );
      before += scan.pages;
    }
    queue.close();
    await this.#committer.finish();
    // Whoever has added one meanwhile has read it, too.
    await this.#overtaken();
    const seconds = Math.round((performance.now() - started) / 1000);
    if (signal?.aborted) return;
    const line = `Read ${pages} of ${files} by OCR in ${seconds} s.`;
    onNotice(line);
    this.#notices.push(line);
  }

  async #readScan(
    { candidate, from, request, entry }: Scan,
    prepare: (from: Candidate | Incoming, request: PrepareRequest) => Promise<PreparedDocument>,
  ): Promise<void> {
    try {
      const { write, warnings } = await prepare(from, request);
      this.#entries = this.#entries.filter(({ source_path }) => source_path !== candidate.source_path);
      await this.#put(candidate, write, warnings, entry);
    } catch (error) {
      if (isStoreFailure(error)) throw error;
      if (!isStrataError(error, 'ABORTED')) await this.#fail(candidate, error);
    }
  }

  /** Without models everything is as if there were no OCR. */
  async #leaveUnread(): Promise<void> {
    for (const { candidate, reason } of this.#scans) {
      if (reason !== undefined) await this.#fail(candidate, new StrataError('NEEDS_OCR', reason));
    }
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
    const chunks = { kept, added, removed };
    return { entries: this.#entries, chunks, interrupted, notices: this.#notices };
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
    // Who could not read it then may be able to now.
    if (failed?.code === 'NEEDS_OCR' && this.#parts.ocr !== undefined) return false;
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
      await this.#fail(candidate, error);
    }
    this.#done++;
    this.#options.onProgress?.({
      stage: this.#options.dry_run ? 'Comparing files' : 'Reading files',
      done: this.#done,
      total: this.#total,
      item: source_path,
    });
  }

  async #fail(candidate: Candidate, error: unknown): Promise<void> {
    const entry = failure(candidate.source_path, error);
    const before = failedBefore(this.#failures, candidate);
    if (before !== undefined && before.code === entry.code && !this.#options.force) {
      return this.#note({ ...entry, known: true });
    }
    const records = candidate.isPage ? [] : rememberFailure(candidate, error, entry.reason ?? '');
    if (records.length > 0) await this.#commit({ records }, entry);
    else this.#note(entry);
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
    const request = this.#request(candidate, before);
    const prepared = await prepare(from, request);
    if ('skipped' in prepared) {
      return this.#note({ outcome: 'skipped', source_path, reason: prepared.skipped });
    }
    const entry: AddEntry = { ...came, ...renamed, source_path };
    const { ocr } = this.#parts;
    // A file is read again from the disk: its bytes need not wait in memory.
    const scan = { candidate, from: candidate.isPage ? from : candidate, request, entry };
    if ('needs_ocr' in prepared) {
      const { needs_ocr, reason } = prepared;
      if (ocr === undefined) throw new StrataError('NEEDS_OCR', reason);
      this.#scans.push({ ...scan, pages: needs_ocr, reason });
      return;
    }
    const pages = ocr === undefined ? 0 : pagesToRead(prepared, ocr.mode);
    if (pages > 0) this.#scans.push({ ...scan, pages });
    await this.#put(candidate, prepared.write, prepared.warnings, entry);
  }

  async #put(
    candidate: Candidate,
    write: PackedWrite,
    warnings: readonly string[],
    entry: AddEntry,
  ): Promise<void> {
    const { id, chunk_count } = write.document;
    const records = this.#failures.has(candidate.source) ? forgetFailure(candidate.source) : [];
    await this.#commit(
      { put: [write], records },
      { ...entry, id, chunk_count, ...(warnings.length > 0 && { warnings }) },
      (failed) => this.#refused.push({ candidate, id, entry: failed }),
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
    return (
      isCutTheSame(known, this.#chunking, this.#options) && isReadTheSame(known.metadata, this.#parts.ocr)
    );
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

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

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
