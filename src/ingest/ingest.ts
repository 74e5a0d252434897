import type { ChunkSettings } from '../chunk/settings.js';
import { StrataError } from '../model/errors.js';
import { mintId } from '../model/id.js';
import type { Backend, PackedWrite } from '../store/backend.js';
import type { AddOptions } from './add-options.js';
import type { AddEntry } from './add-report.js';
import { chunkingKey } from './chunking.js';
import { Comparison } from './compare.js';
import { type Failures, forgetFailure, knownFailures } from './failures.js';
import { type Candidate, type Gathered, gather, vanished } from './gather.js';
import { IngestLog } from './ingest-log.js';
import { type Known, KnownSources } from './known.js';
import type { PrepareRequest } from './prepare/prepare.js';
import { PreparePool } from './prepare/prepare-pool.js';
import type { Incoming } from './prepare/read.js';
import { readScans } from './read-scans.js';
import { meant, type Ocr, pagesToRead, type Scan } from './scans.js';
import { scheduleAll } from './schedule/schedule.js';
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

/** gather → compare (size and time, then the bytes' hash, then renames) → prepare → commit */
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
  readonly #chunking: string;
  readonly #log: IngestLog;
  readonly #comparison: Comparison;
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
    const onWait = () => parts.onNotice(WAITING);
    this.#log = new IngestLog(parts.backend, { ...options, failures, onWait });
    const { root, ocr } = parts;
    const chunking = this.#chunking;
    this.#comparison = new Comparison({ known, failures, log: this.#log, options, root, chunking, ocr });
  }

  noteUnread({ skips, troubles }: Gathered): void {
    for (const { source_path, reason } of skips) this.#log.note({ outcome: 'skipped', source_path, reason });
    for (const { source_path, problem } of troubles) {
      const isGone = this.#options.sync === true && problem.code === 'FILE_MISSING';
      const { message, code } = problem;
      if (!isGone) this.#log.note({ outcome: 'failed', source_path, reason: message, code });
    }
  }

  async all(candidates: readonly Candidate[]): Promise<void> {
    const before = this.#log.entries.length;
    let work = candidates;
    while (work.length > 0) {
      await this.#prepareAll(work.filter((candidate) => !this.#comparison.isSettled(candidate)));
      work = await this.#overtaken();
    }
    this.#log.sort(before, candidates);
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
    await this.#log.finish();
  }

  /**
   * Files that another process has added since this run began: a source belongs to one document, so the store refused
   * ours. They are compared with what the other has written; whatever else was refused has failed.
   */
  async #overtaken(): Promise<readonly Candidate[]> {
    const again: Candidate[] = [];
    for (const { candidate, id, entry } of this.#refused.splice(0)) {
      const document = await this.#parts.backend.documentBySource(candidate.source);
      if (document === null || document.id === id) this.#log.note(entry);
      else {
        this.#known.add(document);
        again.push(candidate);
      }
    }
    return again;
  }

  async readScans(): Promise<void> {
    const { ocr, onNotice, backend } = this.#parts;
    if (ocr === undefined) return;
    const line = await readScans(this.#scans, {
      ocr,
      driver: backend.driver,
      options: this.#options,
      log: this.#log,
      onNotice,
      put: ({ candidate, entry }, { write, warnings }) => this.#put(candidate, write, warnings, entry),
    });
    // Whoever has added one meanwhile has read it, too.
    await this.#overtaken();
    if (line !== undefined) this.#notices.push(line);
  }

  async forget(gone: readonly Known[]): Promise<void> {
    for (const known of gone) {
      const { id, source_path } = known;
      if (this.#known.wasMoved(known)) continue;
      await this.#log.commit({ remove: [id] }, { outcome: 'removed', source_path, id });
    }
  }

  async finish(): Promise<Ingested> {
    await this.#log.finish();
    const { entries, chunks } = this.#log;
    const interrupted = this.#options.signal?.aborted ?? false;
    return { entries, chunks, interrupted, notices: this.#notices };
  }

  /** One file, whatever becomes of it; only a failing store ends the run. */
  async #one(candidate: Candidate, prepare: Prepare): Promise<void> {
    try {
      await this.#bring(candidate, prepare);
    } catch (error) {
      await this.#log.fail(candidate, error);
    }
    this.#done++;
    this.#options.onProgress?.({
      stage: this.#options.dry_run ? 'Comparing files' : 'Reading files',
      done: this.#done,
      total: this.#total,
      item: candidate.source_path,
    });
  }

  async #bring(candidate: Candidate, prepare: Prepare): Promise<void> {
    const { source_path, source } = candidate;
    const got = await this.#comparison.compared(candidate);
    if (got === null) return;
    const { from, moved } = got;
    const known = this.#known.bySource.get(source);
    const before = moved ?? known;
    const came = { outcome: moved ? 'renamed' : known ? 'changed' : 'added' } as const;
    const renamed = moved && { from: moved.source_path };
    if (this.#options.dry_run) {
      return this.#log.note({ ...came, source_path, ...(before && { id: before.id }), ...renamed });
    }
    const request = this.#request(candidate, before);
    const prepared = await prepare(from, request);
    if ('skipped' in prepared) {
      return this.#log.note({ outcome: 'skipped', source_path, reason: prepared.skipped });
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
    await this.#log.commit(
      { put: [write], records },
      { ...entry, id, chunk_count, ...(warnings.length > 0 && { warnings }) },
      (failed) => this.#refused.push({ candidate, id, entry: failed }),
    );
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
}
