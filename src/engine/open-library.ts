import { join, resolve } from 'node:path';
import type { Embedder } from '../embed/embedder.js';
import type { Ingested } from '../ingest/ingest.js';
import type { Citation } from '../model/citation.js';
import type { Document } from '../model/document.js';
import { isStrataError, StrataError } from '../model/errors.js';
import type { SearchAnswer, SearchMode } from '../model/result.js';
import type { SearchParts } from '../search/recall/recall.js';
import { parseCitation } from '../search/show/cite.js';
import { isInside } from '../source/path.js';
import type { Backend } from '../store/backend.js';
import type { Filter } from '../store/filter.js';
import { type VectorIndex, withMethods } from '../store/vectors.js';
import type { Config } from './config.js';
import { readConsistently } from './consistent-read.js';
import type { EmbedReport } from './embedding/embed-behind.js';
import { Embedders } from './embedding/embedders.js';
import type { DocumentVector, NearChunk } from './embedding/own-vectors.js';
import { findDocument } from './find.js';
import { GlossaryFile } from './glossary.js';
import type * as L from './library.js';
import type { LibraryParts } from './library-parts.js';
import { removeDocuments } from './remove.js';
import { resolveTarget } from './resolve.js';
import { keepSettings, keptSettings } from './settings.js';
import { libraryStatus } from './status.js';
import type { LibraryTrust } from './trust/trust.js';
import type { BackupReport } from './upkeep/backup.js';
import type { DoctorReport } from './upkeep/doctor.js';
import type { MoveOptions, MoveReport } from './upkeep/move.js';
import { stalenessOf } from './verify/stale.js';
import type { Verification } from './verify/verify.js';

/** A question never waits for a download. */
const NOT_HERE = 'the embedding model is not on this machine yet (`strata embed` fetches it)';
const SWITCHED_OFF = 'search by meaning is switched off (`--embedder none`)';
/** Beside the data, whoever keeps it. */
const LEASE_FOLDER = 'embedding';
/** A model takes minutes to take over; this many in the course of one question are none. */
const MOST_SWITCHES = 3;

interface Opened {
  readonly location: string;
  readonly root: string;
  readonly backend: Backend;
  readonly options: L.LibraryOptions;
  readonly trust: LibraryTrust;
  /** What the project's file says. */
  readonly config: Config;
  /** The embedder the library remembers. */
  readonly keptEmbedder: string | undefined;
}

/** The parts put together. What each method does is in a file of its own, loaded when it is first called. */
export class OpenLibrary implements L.Library {
  readonly location: string;
  readonly root: string;
  readonly #own: LibraryParts;
  #isClosed = false;
  readonly #options: L.LibraryOptions;
  readonly #trust: LibraryTrust;
  readonly #config: Config;
  #keptEmbedder: string | undefined;
  readonly #glossary: GlossaryFile;
  #agreedFolders: Promise<readonly string[]> | undefined;

  constructor({ location, root, backend, options, trust, config, keptEmbedder }: Opened) {
    this.location = location;
    this.root = root;
    this.#options = options;
    this.#trust = trust;
    this.#config = config;
    this.#keptEmbedder = keptEmbedder;
    this.#own = {
      location,
      root,
      backend,
      guarded: options.guarded ?? false,
      embedders: this.#openEmbedders(backend),
      agreedFolders: () => this.#agreed(),
      trust,
    };
    this.#glossary = new GlossaryFile([root, location]);
  }

  /** For the engine and its tests; nobody else gets at the store and the models. */
  static partsOf(library: L.Library): LibraryParts {
    return (library as OpenLibrary).#parts;
  }

  get #parts(): LibraryParts {
    if (!this.#isClosed) return this.#own;
    throw new StrataError('INVALID_ARGUMENT', `${this.location}: this library is closed; open it again.`);
  }

  #openEmbedders(backend: Backend): Embedders {
    const { onNotice, store, at_once } = this.#options;
    return new Embedders(backend, {
      wanted: this.#named ?? this.#config.embedder ?? this.#keptEmbedder,
      isKept: this.#named === undefined,
      trust: this.#trust,
      ...(store !== 'memory' && { lease: join(this.location, LEASE_FOLDER) }),
      ...(onNotice && { onNotice }),
      // A server's log; a person who asks reads it with the answer.
      ...(onNotice && at_once && { onProblem: onNotice }),
    });
  }

  get #backend(): Backend {
    return this.#parts.backend;
  }

  get #embedders(): Embedders {
    return this.#parts.embedders;
  }

  get searchesByMeaning(): boolean {
    return !this.#embedders.off;
  }

  warmUp(): void {
    this.#embedders.forQueries().catch(() => {});
  }

  async generation(): Promise<number> {
    return this.#backend.generation();
  }

  /** What the user asks for now, by a flag or in the environment: it counts before what the library remembers. */
  get #named(): string | Embedder | undefined {
    return this.#options.embedder ?? (process.env.STRATA_EMBEDDER || undefined);
  }

  async embedder(): Promise<Embedder | null> {
    if (this.#embedders.off) return null;
    return this.#embedders.forPassages().catch((error: unknown) => {
      if (isStrataError(error, 'EMBEDDER_UNAVAILABLE')) return null;
      throw error;
    });
  }

  /** What lies outside the root and was added by the user himself: see `verify/stale.ts`. */
  async #agreed(): Promise<readonly string[]> {
    this.#agreedFolders ??= this.#trust
      .agreements('sources')
      .then((agreements) => agreements.map(({ value }) => value));
    return this.#agreedFolders;
  }

  async #agreeToSources(targets: readonly string[], cwd: string): Promise<void> {
    const paths = targets
      .filter((target) => !/^https?:\/\//i.test(target))
      .map((target) => resolve(cwd, target));
    const known = await this.#agreed();
    for (const path of paths) {
      if ([this.root, ...known].some((folder) => isInside(folder, path))) continue;
      await this.#trust.note('sources', path);
      this.#agreedFolders = undefined;
    }
  }

  async add(targets: readonly string[], options: L.AddOptions = {}): Promise<L.AddReport> {
    if (!options.dry_run) {
      // A model that has vectors to make is kept when it has made the first: see `embed`.
      if (options.embed === false || this.#embedders.off) await this.#keepEmbedder();
      await this.#agreeToSources(targets, options.cwd ?? process.cwd());
    }
    const { add } = await import('./add.js');
    return this.#andEmbed(options, () => add(this.#parts, targets, this.#cut(options), this.#notice));
  }

  async addText(note: L.TextNote, options: L.AddOptions = {}): Promise<L.AddReport> {
    const { addText } = await import('./add.js');
    return this.#andEmbed(options, () => addText(this.#parts, note, this.#cut(options), this.#notice));
  }

  /** Words first, so that what was added is found at once; then the vectors. */
  async #andEmbed(options: L.AddOptions, run: () => Promise<Ingested>): Promise<L.AddReport> {
    const { addReport, embedAdded } = await import('./add.js');
    const started = performance.now();
    const done = await run();
    const vectors = await embedAdded(this.#parts, done, options, this.#notice, (work) => this.embed(work));
    if (!options.dry_run) await this.#deliver(options);
    return addReport(done, vectors, options, started);
  }

  async remove(targets: readonly string[], options: L.RemoveOptions = {}): Promise<L.RemoveReport> {
    const report = await removeDocuments(this.#parts, targets, options);
    if (!report.dry_run) await this.#deliver({});
    return report;
  }

  /** Where the library's vectors are kept at turbopuffer too, that follows; what could not is told, and kept for later. */
  async #deliver(options: L.WorkOptions): Promise<void> {
    const { deliverLibrary } = await import('./mirror/mirror-library.js');
    for (const problem of await deliverLibrary(this.#parts, options)) this.#notice(problem);
  }

  async find(target: string, { cwd }: L.FindOptions = {}): Promise<Document> {
    return findDocument(this.#parts, target, cwd);
  }

  async list({ filter, after, limit }: L.ListOptions = {}): Promise<L.DocumentPage> {
    const { checkFilter } = await import('../search/judge/filter-notices.js');
    checkFilter(filter);
    const page = await this.#backend.documents({
      ...(filter && { filter }),
      ...(after !== undefined && { after }),
      ...(limit !== undefined && { limit: limit + 1 }),
    });
    const documents = limit === undefined ? page : page.slice(0, limit);
    return { documents, next: documents.length < page.length ? documents.at(-1)!.source : null };
  }

  async show(target: string, options: L.FindOptions = {}): Promise<L.DocumentDetails> {
    const document = await this.find(target, options);
    const [sections, content] = await Promise.all([
      this.#backend.sections(document.id),
      this.#backend.content(document.id),
    ]);
    return { document, sections, text: content?.text ?? '' };
  }

  async search(query: string, { nearest, ...options }: L.SearchOptions = {}): Promise<SearchAnswer> {
    const { search } = await import('../search/search.js');
    const mode = this.#mode(options.mode);
    const answer = await this.#ask(mode, (parts) =>
      search(nearest ? withNearest(parts, nearest) : parts, { ...given(options), query, mode }),
    );
    return {
      ...answer,
      results: await Promise.all(
        answer.results.map(async (result) => ({
          ...result,
          ...(await stalenessOf(this.#parts, result.item)),
        })),
      ),
      notices: [...answer.notices, ...(await this.#damage())],
    };
  }

  async scout(query: string, options: L.ScoutOptions = {}): Promise<L.ScoutAnswer> {
    const { scout } = await import('../search/scout.js');
    const mode = this.#mode(options.mode);
    const more = {
      notices: await this.#damage(),
      staleness: (document: Document) => stalenessOf(this.#parts, document),
    };
    return this.#ask(mode, (parts) => scout({ ...parts, ...more }, { ...given(options), query, mode }));
  }

  async inspect(target: string, { cwd }: L.FindOptions = {}): Promise<L.Inspection> {
    const { inspect } = await import('../search/inspect.js');
    const { found, document } = await readConsistently(this.#backend, async (backend) => {
      const { document, chunk } = await resolveTarget({ backend, root: this.root }, target, cwd);
      if (chunk === null && parseCitation(target) !== null) {
        throw new StrataError(
          'NOT_FOUND',
          `The cited passage is no longer in ${document.source_path}: verify says what became of it.`,
        );
      }
      return { found: await inspect(backend, document, chunk), document };
    });
    const notices = await this.#damage();
    const state = await stalenessOf(this.#parts, document);
    return { ...found, ...state, ...(notices.length > 0 && { notices }) };
  }

  async around(chunkId: string, count: number): Promise<readonly L.ChunkInspection[]> {
    const { inspectAround } = await import('../search/inspect.js');
    return readConsistently(this.#backend, (backend) => inspectAround(backend, chunkId, count));
  }

  async putVectors(vectors: readonly DocumentVector[]): Promise<void> {
    const { putVectors } = await import('./embedding/own-vectors.js');
    const { fingerprint, dimensions } = await this.#ownModel();
    await putVectors(this.#backend, fingerprint, dimensions, vectors);
  }

  async near(vector: Float32Array, k: number, filter?: Filter): Promise<readonly NearChunk[]> {
    const { nearVector } = await import('./embedding/own-vectors.js');
    return nearVector(this.#backend, vector, k, filter);
  }

  /** The model whose vectors are searched, else the one that would make the first. */
  async #ownModel(): Promise<{ readonly fingerprint: string; readonly dimensions: number }> {
    const { active, dimensions } = await this.#backend.vectors.state();
    const model = active === null ? await this.embedder() : { fingerprint: active, dimensions };
    if (model !== null) return model;
    throw new StrataError(
      'EMBEDDER_UNAVAILABLE',
      'the library has no embedding model; open it with an embedder',
    );
  }

  async status(): Promise<L.LibraryStatus> {
    return libraryStatus(this.#parts);
  }

  async embed({ signal, onProgress }: L.WorkOptions = {}): Promise<EmbedReport> {
    await this.#followEmbedder();
    const report = await this.#embedders.drain({
      signal,
      // A model that cannot be opened, or never answers, must not replace the one the library has.
      onFirst: () => this.#keepEmbedder(),
      onFetch: ({ model, done, total }) => onProgress?.({ stage: `Fetching ${model}`, done, total }),
      onProgress: (done, total) => onProgress?.({ stage: 'Embedding', done, total }),
    });
    if (report.stopped === undefined) await this.#keepEmbedder();
    await this.#deliver({ signal, onProgress });
    return report;
  }

  async rebuild(options: L.RebuildOptions = {}): Promise<L.RebuildReport> {
    const { rebuild } = await import('./upkeep/rebuild.js');
    return rebuild(this.#parts, options);
  }

  async check(options: { fix?: boolean } = {}): Promise<DoctorReport> {
    const { doctor } = await import('./upkeep/doctor.js');
    return doctor(this.#parts, options);
  }

  async verify(cited: string | Citation, options: L.FindOptions = {}): Promise<Verification> {
    const { verifyCitation } = await import('./verify/verify.js');
    return verifyCitation(this.#parts, cited, options.cwd);
  }

  async backup(destination: string): Promise<BackupReport> {
    const { backupLibrary } = await import('./upkeep/backup.js');
    return backupLibrary(this.#backend, destination);
  }

  async move(options: MoveOptions): Promise<MoveReport> {
    const { moveLibrary } = await import('./upkeep/move.js');
    return moveLibrary(this.#parts, options);
  }

  /** Closing twice does no harm. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#own.embedders.close();
    await this.#own.backend.close();
  }

  /** S1.3: what is damaged is left out of the answer, and the answer says so. */
  async #damage(): Promise<readonly string[]> {
    const known = (await this.#backend.damage?.()) ?? [];
    if (known.length === 0) return [];
    const more = known.length > 1 ? ` (and ${known.length - 1} more)` : '';
    return [
      `Left out, being damaged: ${known[0]!.message}${more}. \`strata doctor --fix\` repairs what it can.`,
    ];
  }

  /** B4: where another model takes over between two reads, the question is asked again, of the new one. */
  async #ask<A extends { readonly mode: SearchMode }>(
    mode: SearchMode,
    run: (parts: SearchParts) => Promise<A>,
  ): Promise<A> {
    for (let attempt = 1; ; attempt++) {
      const parts = await this.#searchParts(mode);
      try {
        const answer = await readConsistently(this.#backend, (backend) => run({ ...parts, backend }));
        const isLast = answer.mode === mode || attempt === MOST_SWITCHES;
        if (isLast || !(await this.#hasLeft(parts.embedder))) return answer;
      } catch (error) {
        if (attempt === MOST_SWITCHES || !(await this.#hasLeft(parts.embedder))) throw error;
      }
    }
  }

  /** The vectors now searched are not this embedder's any more. */
  async #hasLeft(embedder: Embedder | null): Promise<boolean> {
    if (embedder === null) return false;
    const { active } = await this.#backend.vectors.state();
    return active !== null && active !== embedder.fingerprint;
  }

  async #searchParts(mode: SearchMode): Promise<SearchParts> {
    const glossary = await this.#glossary.read();
    return { ...(await this.#modelParts(mode)), ...(glossary && { glossary }) };
  }

  /** Words need no model: opening one would cost a second. */
  async #modelParts(mode: SearchMode): Promise<SearchParts> {
    const { backend, embedders } = this.#parts;
    if (mode === 'keyword' || mode === 'tfidf') return { backend, embedder: null };
    const ready = this.#options.at_once ? await embedders.readyForQueries() : await embedders.forQueries();
    if (ready === 'loading')
      return { backend, embedder: null, missing: 'the embedding model is still loading' };
    const missing = embedders.off ? SWITCHED_OFF : (embedders.reason ?? NOT_HERE);
    return { backend, embedder: ready, missing };
  }

  /** Another process may have changed the model: a server that was told no other must not change it back. */
  async #followEmbedder(): Promise<void> {
    if (this.#named !== undefined || this.#config.embedder !== undefined) return;
    const { embedder } = await keptSettings(this.#backend);
    if (embedder === this.#keptEmbedder) return;
    this.#keptEmbedder = embedder;
    this.#embedders.want(embedder);
  }

  /** An embedder named when something is written is the library's from then on. */
  async #keepEmbedder(): Promise<void> {
    const { embedder } = this.#options;
    if (typeof embedder !== 'string' || embedder === this.#keptEmbedder) return;
    await keepSettings(this.#backend, {
      ...(await keptSettings(this.#backend)),
      embedder: this.#embedders.spec,
    });
    this.#keptEmbedder = embedder;
  }

  /** What is asked for now counts before what the project's file says. */
  #cut(options: L.AddOptions): L.AddOptions {
    const { chunking } = this.#config;
    const isOther = options.strategy !== undefined && options.strategy !== chunking.strategy;
    return isOther ? options : { ...chunking, ...given(options) };
  }

  /** Whoever has switched meaning off need not hear at every search that it is off. */
  #mode(asked: SearchMode | undefined): SearchMode {
    return asked ?? (this.#embedders.off ? 'keyword' : 'hybrid');
  }

  readonly #notice = (line: string): void => this.#options.onNotice?.(line);
}

/** For the engine's own files and tests. */
export const partsOf = OpenLibrary.partsOf;

/** The same library, but somebody else knows which passages are near. */
function withNearest(parts: SearchParts, near: VectorIndex['near']): SearchParts {
  const { vectors } = parts.backend;
  return { ...parts, backend: { ...parts.backend, vectors: withMethods(vectors, { near }) } };
}

/** Without the options that were left open: `search/` fills in its own. */
function given<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
