import { access } from 'node:fs/promises';
import type { ChunkSettings } from '../chunk/settings.js';
import type { AddEntry, AddOptions } from '../engine/library.js';
import { chunkingKey } from '../engine/settings.js';
import { isStrataError, reasonOf } from '../model/errors.js';
import { mintId } from '../model/id.js';
import type { JsonObject } from '../model/json.js';
import { pathOfSource } from '../source/path.js';
import type { Backend } from '../store/backend.js';
import { Committer } from './committer.js';
import { type Failures, failedBefore, forgetFailure, knownFailures, rememberFailure } from './failures.js';
import { type FileToRead, skipReason } from './from-disk.js';
import { type Candidate, gather, vanished } from './gather.js';
import { incoming } from './incoming.js';
import { type Known, type KnownSources, knownSources } from './known.js';
import type { PreparedChange, PrepareRequest } from './prepare.js';
import { WAITING } from './waiting.js';
import { Room } from './worker/byte-semaphore.js';
import type { SkippedFile } from './worker/isolated-job.js';
import { type PreparePool, preparePool } from './worker/prepare-pool.js';
import { WorkQueue } from './worker/work-queue.js';

export interface IngestParts {
  readonly backend: Backend;
  readonly root: string;
  readonly location: string;
  readonly settings: ChunkSettings;
  readonly onNotice: (line: string) => void;
}

export interface Ingested {
  readonly entries: readonly AddEntry[];
  readonly chunks: { readonly kept: number; readonly added: number; readonly removed: number };
  readonly interrupted: boolean;
}

/** walk → look (size and time unchanged: stop) → read and hash (unchanged: touch; moved: rename) → prepare → commit */
export async function ingest(
  parts: IngestParts,
  targets: readonly string[],
  options: AddOptions,
): Promise<Ingested> {
  const { cwd, signal, onProgress } = options;
  const gathered = await gather(targets, parts, {
    cwd,
    signal,
    onFound: (done) => onProgress?.({ stage: 'Looking for files', done }),
  });
  const known = await knownSources(parts.backend);
  const failures = await knownFailures(parts.backend);
  const run = new IngestRun(parts, options, known, failures);
  for (const { source_path, reason } of gathered.skips) run.note({ outcome: 'skipped', source_path, reason });
  for (const { source_path, problem } of gathered.troubles) {
    const isGone = options.sync === true && problem.code === 'FILE_MISSING';
    if (!isGone) run.note({ outcome: 'failed', source_path, reason: problem.message, code: problem.code });
  }
  await run.all(gathered.candidates);
  if (options.sync && !signal?.aborted) await run.forget(vanished(known, gathered, parts.root));
  return run.finish();
}

class IngestRun {
  readonly #parts: IngestParts;
  readonly #options: AddOptions;
  readonly #known: KnownSources;
  readonly #failures: Failures;
  /** Of known files: a new one of the same size may be one of them, moved. */
  readonly #sizes: ReadonlySet<number>;
  readonly #committer: Committer;
  readonly #chunking: string;
  readonly #entries: AddEntry[] = [];
  /** Documents whose vanished file was found again elsewhere. */
  readonly #claimed = new Set<string>();
  #done = 0;
  #total = 0;

  constructor(parts: IngestParts, options: AddOptions, known: KnownSources, failures: Failures) {
    this.#parts = parts;
    this.#options = options;
    this.#known = known;
    this.#failures = failures;
    this.#sizes = new Set([...known.bySource.values()].map(({ size }) => size));
    this.#chunking = chunkingKey(parts.settings);
    this.#committer = new Committer(parts.backend, () => parts.onNotice(WAITING));
  }

  note(entry: AddEntry): void {
    this.#entries.push(entry);
  }

  async all(candidates: readonly Candidate[]): Promise<void> {
    const work = candidates.filter((candidate) => !this.#isSettled(candidate));
    this.#total = work.length;
    const pool = preparePool(work.length, this.#options.workers);
    const queue = new WorkQueue(work, pool.size);
    const first = this.#entries.length;
    try {
      await Promise.all(Array.from({ length: pool.size }, (_, worker) => this.#feed(worker, queue, pool)));
    } finally {
      pool.close();
    }
    await this.#committer.finish();
    // Workers finish in any order; the report has that of the files.
    const place = new Map(candidates.map(({ source_path }, at) => [source_path, at]));
    const at = ({ source_path }: AddEntry): number => place.get(source_path) ?? -1;
    for (const entry of this.#entries.splice(first).sort((a, b) => at(a) - at(b))) this.note(entry);
  }

  /** Keeps one worker busy. Pages of the web are asked for one by one. */
  async #feed(worker: number, queue: WorkQueue<Candidate>, pool: PreparePool): Promise<void> {
    const room = new Room(() => (pool.size === 1 ? pool.ahead : queue.share(pool.ahead)), AHEAD_BYTES);
    const preparer: Preparer = {
      takesFile: pool.takesFile,
      prepare: (...document) => pool.prepare(worker, ...document),
      prepareFile: (...document) => pool.prepareFile(worker, ...document),
    };
    const running = new Set<Promise<void>>();
    let failure: { readonly error: unknown } | undefined;
    while (failure === undefined) {
      const candidate = queue.next(worker);
      if (candidate === undefined) break;
      const bytes = candidate.isPage ? AHEAD_BYTES : candidate.size;
      await room.enter(bytes);
      if (this.#options.signal?.aborted) break;
      const one = this.#one(candidate, preparer)
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => {
          running.delete(one);
          room.leave(bytes);
        });
      running.add(one);
    }
    await Promise.all(running);
    if (failure) throw failure.error;
  }

  async forget(gone: readonly Known[]): Promise<void> {
    for (const { id, source_path } of gone) {
      if (this.#claimed.has(id)) continue;
      await this.#commit({ remove: [id] }, { outcome: 'removed', source_path, id });
    }
  }

  async finish(): Promise<Ingested> {
    await this.#committer.finish();
    const { kept, added, removed } = this.#committer;
    return {
      entries: this.#entries,
      chunks: { kept, added, removed },
      interrupted: this.#options.signal?.aborted ?? false,
    };
  }

  /** Without reading: it has not changed, or has failed before and not changed since. */
  #isSettled(candidate: Candidate): boolean {
    if (this.#options.force || candidate.isPage) return false;
    if (this.#looksUnchanged(candidate)) {
      this.note(UNCHANGED);
      return true;
    }
    if (this.#options.password !== undefined) return false;
    const failed = failedBefore(this.#failures, candidate);
    if (!failed) return false;
    const { reason, code } = failed;
    this.note({ outcome: 'failed', source_path: candidate.source_path, reason, code });
    return true;
  }

  #looksUnchanged(candidate: Candidate): boolean {
    const known = this.#known.bySource.get(candidate.source);
    if (!known) return false;
    return (
      known.size === candidate.size && known.mtime_ms === candidate.mtime_ms && this.#isCutTheSame(known)
    );
  }

  /** The same settings, and no new tags: only the file can make a difference. */
  #isCutTheSame(known: Known): boolean {
    const { tags, collection } = this.#options;
    const had = Array.isArray(known.metadata.tags) ? known.metadata.tags : [];
    return (
      known.chunking === this.#chunking &&
      (tags ?? []).every((tag) => had.includes(tag)) &&
      (collection === undefined || known.metadata.collection === collection)
    );
  }

  async #one(candidate: Candidate, preparer: Preparer): Promise<void> {
    const { source_path } = candidate;
    try {
      if (this.#isSurelyNew(candidate) && preparer.takesFile(candidate.size)) {
        await this.#bringNew(candidate, preparer);
      } else await this.#bring(candidate, preparer);
    } catch (error) {
      if (isStoreFailure(error)) throw error;
      const entry = failure(source_path, error);
      const records = candidate.isPage ? [] : rememberFailure(candidate, error, entry.reason ?? '');
      if (records.length > 0) await this.#commit({ records }, entry);
      else this.note(entry);
    }
    this.#done++;
    this.#options.onProgress?.({
      stage: this.#options.dry_run ? 'Comparing files' : 'Reading files',
      done: this.#done,
      total: this.#total,
      item: source_path,
    });
  }

  /** Nothing depends on its bytes: it is no known file, nor one that was moved. */
  #isSurelyNew({ source, size, isPage }: Candidate): boolean {
    return !isPage && !this.#options.dry_run && !this.#known.bySource.has(source) && !this.#sizes.has(size);
  }

  async #bringNew(candidate: Candidate, { prepareFile }: Preparer): Promise<void> {
    const { path, name, named, size, source_path } = candidate;
    const request = this.#request(candidate, undefined, { chunking: this.#chunking }, '');
    const prepared = await prepareFile({ path, name, named, size, source_path }, request);
    if ('skipped' in prepared)
      return this.note({ outcome: 'skipped', source_path, reason: prepared.skipped });
    await this.#keep(candidate, prepared, { outcome: 'added' });
  }

  async #bring(candidate: Candidate, { prepare }: Preparer): Promise<void> {
    const { source, source_path } = candidate;
    const known = this.#known.bySource.get(source);
    const mayKeep = known !== undefined && this.#isCutTheSame(known) && !this.#options.force;
    const got = await incoming(candidate, mayKeep ? known : undefined, this.#options);
    if (got === null) return this.note({ ...UNCHANGED, source_path });
    const { bytes, bytes_hash, facts, updated_at } = got;
    const reason = skipReason(candidate, bytes);
    if (reason !== null) return this.note({ outcome: 'skipped', source_path, reason });
    if (mayKeep && known.bytes_hash === bytes_hash) {
      const metadata = { ...known.metadata, ...facts };
      return this.#commit({ touch: [{ id: known.id, updated_at, metadata }] }, { ...UNCHANGED, source_path });
    }
    const moved = known || candidate.isPage ? undefined : await this.#movedFrom(bytes_hash);
    if (moved && this.#isCutTheSame(moved)) {
      const metadata = { ...moved.metadata, ...facts };
      const rename = [{ id: moved.id, source, source_path }];
      const entry: AddEntry = { outcome: 'renamed', source_path, id: moved.id, from: moved.source_path };
      return this.#commit({ rename, touch: [{ id: moved.id, updated_at, metadata }] }, entry);
    }
    const before = known ?? moved;
    const outcome = moved ? 'renamed' : known ? 'changed' : 'added';
    const from = moved && { from: moved.source_path };
    if (this.#options.dry_run)
      return this.note({ outcome, source_path, ...(before && { id: before.id }), ...from });
    const { name, url, charset } = got;
    const request = {
      ...this.#request(candidate, before, { ...facts, chunking: this.#chunking }, updated_at),
      name,
      ...(url !== undefined && { url }),
      ...(charset !== undefined && { charset }),
    };
    await this.#keep(candidate, await prepare(bytes, request), { outcome, ...from });
  }

  async #keep({ source }: Candidate, prepared: PreparedChange, came: Pick<AddEntry, 'outcome' | 'from'>) {
    const records = this.#failures.has(source) ? forgetFailure(source) : [];
    await this.#commit({ ...prepared.change, records }, { ...entryOf(prepared), ...came });
  }

  #request(
    { source, source_path, name }: Candidate,
    before: Known | undefined,
    facts: JsonObject,
    updated_at: string,
  ): PrepareRequest {
    const { tags, collection, password } = this.#options;
    const had = before?.metadata.added_tags;
    const added_tags = [...new Set([...(Array.isArray(had) ? had : []), ...(tags ?? [])])];
    const kept = collection ?? before?.metadata.collection;
    return {
      doc_id: before?.id ?? mintId(),
      source,
      source_path,
      name,
      settings: this.#parts.settings,
      updated_at,
      metadata: {
        ...facts,
        strategy: this.#parts.settings.strategy,
        ...(added_tags.length > 0 && { added_tags }),
        ...(kept !== undefined && { collection: kept }),
      },
      driver: this.#parts.backend.driver,
      ...(password !== undefined && { password }),
    };
  }

  /** A document with these very bytes whose own file is gone: this file is that document, under a new name. */
  async #movedFrom(bytes_hash: string): Promise<Known | undefined> {
    for (const known of this.#known.byBytes.get(bytes_hash) ?? []) {
      const path = pathOfSource(this.#parts.root, known.source);
      if (path === null || this.#claimed.has(known.id)) continue;
      this.#claimed.add(known.id);
      if (!(await exists(path))) return known;
      this.#claimed.delete(known.id);
    }
    return undefined;
  }

  async #commit(change: Parameters<Committer['add']>[0]['change'], entry: AddEntry): Promise<void> {
    if (this.#options.dry_run) return this.note(entry);
    await this.#committer.add({
      change,
      done: (error) => this.note(error === null ? entry : failure(entry.source_path, error)),
    });
  }
}

/** What may be read before its time: large files are not. */
const AHEAD_BYTES = 4 * 2 ** 20;

/** One of the pool's workers. */
interface Preparer {
  readonly takesFile: PreparePool['takesFile'];
  prepare(bytes: Uint8Array, request: PrepareRequest): Promise<PreparedChange>;
  prepareFile(file: FileToRead, request: PrepareRequest): Promise<PreparedChange | SkippedFile>;
}

const UNCHANGED: AddEntry = { outcome: 'unchanged', source_path: '' };

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

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

function entryOf({ document, warnings }: PreparedChange): Omit<AddEntry, 'outcome'> {
  const { id, source_path, chunk_count } = document;
  return { source_path, id, chunk_count, ...(warnings.length > 0 && { warnings }) };
}
