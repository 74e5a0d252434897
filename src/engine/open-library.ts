import type { Embedder } from '../embed/embedder.js';
import type { Ingested } from '../ingest/ingest.js';
import type { Citation } from '../model/citation.js';
import type { Document } from '../model/document.js';
import { isStrataError, StrataError } from '../model/errors.js';
import type { SearchAnswer } from '../model/result.js';
import type { Backend } from '../store/backend.js';
import type { Filter } from '../store/filter.js';
import type { Config } from './config.js';
import { ChosenEmbedder } from './embedding/chosen-embedder.js';
import type { EmbedReport } from './embedding/embed-behind.js';
import type { Embedders } from './embedding/embedders.js';
import type { DocumentVector, NearChunk } from './embedding/own-vectors.js';
import { Reranking } from './embedding/reranking.js';
import { findDocument } from './find.js';
import { given } from './given.js';
import type * as L from './library.js';
import type { LibraryParts, OpenedLibrary } from './library-parts.js';
import { Questions } from './questions.js';
import { removeDocuments } from './remove.js';
import { libraryStatus } from './status.js';
import { AgreedSources } from './trust/agreed-sources.js';
import type { BackupReport } from './upkeep/backup.js';
import type { DoctorReport } from './upkeep/doctor.js';
import type { MoveOptions, MoveReport } from './upkeep/move.js';
import type { Verification } from './verify/verify.js';

/** The parts put together. What each method does is in a file of its own, loaded when it is first called. */
export class OpenLibrary implements L.Library {
  readonly location: string;
  readonly root: string;
  readonly #own: LibraryParts;
  readonly #questions: Questions;
  readonly #embedder: ChosenEmbedder;
  readonly #sources: AgreedSources;
  readonly #options: L.LibraryOptions;
  readonly #config: Config;
  #isClosed = false;

  constructor(opened: OpenedLibrary) {
    const { location, root, backend, options, trust, config } = opened;
    this.location = location;
    this.root = root;
    this.#options = options;
    this.#config = config;
    this.#embedder = new ChosenEmbedder(opened);
    this.#sources = new AgreedSources(root, trust);
    this.#own = {
      location,
      root,
      backend,
      guarded: options.guarded ?? false,
      embedders: this.#embedder.embedders,
      reranking: new Reranking(options.rerank, options.onNotice),
      agreedFolders: () => this.#sources.folders(),
      trust,
    };
    this.#questions = new Questions(() => this.#parts, options.at_once ?? false);
  }

  /** For the engine and its tests; nobody else gets at the store and the models. */
  static partsOf(library: L.Library): LibraryParts {
    return (library as OpenLibrary).#parts;
  }

  get #parts(): LibraryParts {
    this.#refuseClosed();
    return this.#own;
  }

  get #chosen(): ChosenEmbedder {
    this.#refuseClosed();
    return this.#embedder;
  }

  #refuseClosed(): void {
    if (!this.#isClosed) return;
    throw new StrataError('INVALID_ARGUMENT', `${this.location}: this library is closed; open it again.`);
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

  async embedder(): Promise<Embedder | null> {
    if (this.#embedders.off) return null;
    return this.#embedders.forPassages().catch((error: unknown) => {
      if (isStrataError(error, 'EMBEDDER_UNAVAILABLE')) return null;
      throw error;
    });
  }

  async add(targets: readonly string[], options: L.AddOptions = {}): Promise<L.AddReport> {
    if (!options.dry_run) {
      // A model that has vectors to make is kept when it has made the first: see `embed`.
      if (options.embed === false || this.#embedders.off) await this.#chosen.keep();
      await this.#sources.agreeTo(targets, options.cwd ?? process.cwd());
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
    const { checkFilter, unmetFilters } = await import('../search/judge/filter-notices.js');
    checkFilter(filter);
    const page = await this.#backend.documents({
      ...(filter && { filter }),
      ...(after !== undefined && { after }),
      ...(limit !== undefined && { limit: limit + 1 }),
    });
    const documents = limit === undefined ? page : page.slice(0, limit);
    const notices = documents.length === 0 ? await unmetFilters(this.#backend, filter) : [];
    return {
      documents,
      next: documents.length < page.length ? documents.at(-1)!.source : null,
      ...(notices.length > 0 && { notices }),
    };
  }

  async show(target: string, options: L.FindOptions = {}): Promise<L.DocumentDetails> {
    const document = await this.find(target, options);
    const [sections, content] = await Promise.all([
      this.#backend.sections(document.id),
      this.#backend.content(document.id),
    ]);
    return { document, sections, text: content?.text ?? '' };
  }

  async search(query: string, options: L.SearchOptions = {}): Promise<SearchAnswer> {
    return this.#questions.search(query, options);
  }

  async scout(query: string, options: L.ScoutOptions = {}): Promise<L.ScoutAnswer> {
    return this.#questions.scout(query, options);
  }

  async inspect(target: string, { cwd }: L.FindOptions = {}): Promise<L.Inspection> {
    return this.#questions.inspect(target, cwd);
  }

  async around(chunkId: string, count: number): Promise<readonly L.ChunkInspection[]> {
    return this.#questions.around(chunkId, count);
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
    await this.#chosen.follow();
    const report = await this.#embedders.drain({
      signal,
      // A model that cannot be opened, or never answers, must not replace the one the library has.
      onFirst: () => this.#chosen.keep(),
      onFetch: ({ model, done, total }) => onProgress?.({ stage: `Fetching ${model}`, done, total }),
      onProgress: (done, total) => onProgress?.({ stage: 'Embedding', done, total }),
    });
    if (report.stopped === undefined) await this.#chosen.keep();
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
    await this.#own.reranking.close();
    await this.#own.backend.close();
  }

  /** What is asked for now counts before what the project's file says. */
  #cut(options: L.AddOptions): L.AddOptions {
    const { chunking } = this.#config;
    const isOther = options.strategy !== undefined && options.strategy !== chunking.strategy;
    return isOther ? options : { ...chunking, ...given(options) };
  }

  readonly #notice = (line: string): void => this.#options.onNotice?.(line);
}

/** For the engine's own files and tests. */
export const partsOf = OpenLibrary.partsOf;
