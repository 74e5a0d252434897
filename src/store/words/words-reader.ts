import { StrataError } from '../../model/errors.js';
import type { Filter } from '../filter.js';
import { restrictsDocuments } from '../filtering.js';
import type { LexicalIndex, LexicalMatch, LexicalQuery, TermCount } from '../lexical.js';
import { validateQuery } from '../validate.js';
import { openBlock, openDirectory, termKey } from './segment.js';
import { type FilterRow, UnitFilters } from './unit-filters.js';
import type { PageRow, UnitTable } from './unit-table.js';
import { type BlockPlace, WordIndex } from './word-index.js';
import { keysOfQuery, keysOfTerms, WordSearch } from './word-search.js';
import type { SegmentRow } from './words-change.js';

/** What tells whether the index in memory is still that of the store. */
export interface WordsState {
  readonly generation: number;
  readonly index_version: number;
  /** Pages emptied before this generation have been forgotten: who is older reads all of them again. */
  readonly purged: number;
  /** Units whose rows somebody else deleted: the next commit takes them out of their pages. */
  readonly buried: readonly number[];
  /** Says that it is the same library: one that is made anew under an old name has another. */
  readonly identity?: string | undefined;
}

/** A store's word index as it is read. Each call answers of one moment. */
export interface WordsSource {
  state(): Promise<WordsState>;
  /** The pages written after that generation (or purged since: all), and all segments, of one moment with the state. */
  changes(since: number): Promise<{
    readonly state: WordsState;
    readonly pages: readonly PageRow[];
    readonly segments: readonly SegmentRow[];
  }>;
  /** Sealed; undefined for a block that is no longer there. */
  blocks(places: readonly BlockPlace[]): Promise<readonly (Uint8Array | undefined)[]>;
  documents(): Promise<{ readonly generation: number; readonly rows: readonly FilterRow[] }>;
}

/** A process far from its store keeps what searches use: 64 MB hold the blocks of some 100,000 chunks. */
const BLOCK_BYTES = 64 * 2 ** 20;
/** A merge may take a segment away between two reads; many times in a row it does not. */
const MOST_ATTEMPTS = 20;

/**
 * The word index of a store that must be waited for. What a question needs is fetched first, in one read where there is
 * anything to fetch; then it is answered as every store answers it, without waiting.
 */
export class WordsReader implements LexicalIndex {
  readonly #source: WordsSource;
  readonly #index = new WordIndex(FETCHED, BLOCK_BYTES);
  readonly #search = new WordSearch(this.#index);
  readonly #filters: UnitFilters;
  #seen: WordsState = UNSEEN;
  #syncing: Promise<void> | null = null;
  #documents: { readonly generation: number; readonly rows: readonly FilterRow[] } | null = null;

  constructor(source: WordsSource) {
    this.#source = source;
    this.#filters = new UnitFilters(
      (ids) => {
        const wanted = ids === undefined ? null : new Set(ids);
        const rows = this.#documents?.rows ?? [];
        return wanted === null ? rows : rows.filter(({ id }) => wanted.has(id));
      },
      () => this.#index.table,
    );
  }

  get table(): UnitTable {
    return this.#index.table;
  }

  /** As it was at the last look; -1 before the first. */
  get generation(): number {
    return this.#seen.generation;
  }

  /** Looks whether the index has changed, and gives the generation it is now of. */
  async look(): Promise<number> {
    await this.#sync();
    return this.#seen.generation;
  }

  /** The same index, without a look before each answer: for who has just looked. */
  readonly asSeen: LexicalIndex = {
    match: (query) => this.match(query, true),
    termsWithPrefix: (prefix, limit) => this.termsWithPrefix(prefix, limit, true),
    frequencies: (terms) => this.frequencies(terms, true),
  };

  async match(query: LexicalQuery, hasLooked = false): Promise<readonly LexicalMatch[]> {
    validateQuery(query);
    const keys = keysOfQuery(query);
    return this.#answer(
      query.filter,
      () => this.#index.missing(keys),
      () => this.#search.match(query, this.#filters.slots(query.filter)),
      { hasLooked },
    );
  }

  async termsWithPrefix(prefix: string, limit: number, hasLooked = false): Promise<readonly TermCount[]> {
    const keys = (['chunk', 'document'] as const).map((kind) => termKey(kind, prefix));
    return this.#answer(
      undefined,
      () => keys.flatMap((key) => this.#index.missingWithPrefix(key)),
      () => this.#search.termsWithPrefix(prefix, limit),
      { hasLooked },
    );
  }

  async frequencies(
    terms: readonly string[],
    hasLooked = false,
  ): Promise<{ units: number; df: readonly number[] }> {
    const keys = keysOfTerms(terms);
    return this.#answer(
      undefined,
      () => this.#index.missing(keys),
      () => this.#search.frequencies(terms),
      { hasLooked },
    );
  }

  /** The ids of the documents that pass, content types included. */
  async documentsThatPass(filter: Filter): Promise<readonly string[]> {
    return this.#answer(
      filter,
      () => [],
      () => {
        const passing = this.#filters.items(filter);
        return this.#documents!.rows.filter(({ n }) => passing === null || passing[n] === 1).map(
          ({ id }) => id,
        );
      },
      { needsDocuments: true },
    );
  }

  /** After damage or repair: as if nothing had been read. */
  reset(): void {
    this.#seen = UNSEEN;
    this.#documents = null;
    this.#index.clear();
    this.#filters.forget();
  }

  /** Nothing is waited for between the last look at what is missing and the answer, so both are of one moment. */
  async #answer<T>(
    filter: Filter | undefined,
    missing: () => BlockPlace[],
    answer: () => T,
    { needsDocuments = restrictsDocuments(filter), hasLooked = false } = {},
  ): Promise<T> {
    this.#index.trim();
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      if (attempt > 0 || !hasLooked) await this.#sync();
      if (needsDocuments && this.#documents?.generation !== this.#seen.generation) {
        this.#documents = await this.#source.documents();
        this.#filters.forget();
        if (this.#documents.generation !== this.#seen.generation) continue;
      }
      const wanted = missing();
      if (wanted.length === 0 || (await this.#fetch(wanted))) {
        if (missing().length === 0) return answer();
      }
    }
    throw new StrataError('STORE_BUSY', 'The library changes faster than it can be read; try again.');
  }

  /** False when a block has gone meanwhile: the list of segments is no longer true then. */
  async #fetch(places: readonly BlockPlace[]): Promise<boolean> {
    const blocks = await this.#source.blocks(places);
    for (const [i, place] of places.entries()) {
      const sealed = blocks[i];
      if (sealed === undefined) {
        this.#seen = { ...this.#seen, index_version: -1 };
        return false;
      }
      this.#index.keepBlock(place, openBlock(sealed, ...place));
    }
    return true;
  }

  /** Questions that come together share one look. */
  #sync(): Promise<void> {
    this.#syncing ??= this.#follow().finally(() => {
      this.#syncing = null;
    });
    return this.#syncing;
  }

  async #follow(): Promise<void> {
    const now = await this.#source.state();
    const seen = this.#seen;
    const isSame = now.generation === seen.generation && now.index_version === seen.index_version;
    if (isSame && now.buried.join() === seen.buried.join()) return;
    const isOld = seen.generation < now.purged || seen.generation > now.generation || seen.buried.length > 0;
    const { state, pages, segments } = await this.#source.changes(isOld ? -1 : seen.generation);
    // Purged between the two reads: what was read may lack pages that are empty by now.
    if (!isOld && seen.generation < state.purged) return this.#follow();
    if (isOld) this.#index.table.clear();
    this.#index.table.load(pages);
    for (const unit of state.buried) this.#index.table.kill(unit);
    this.#index.forgetLists();
    this.#filters.forget();
    this.#index.setSegments(segments);
    for (const { segment, directory } of segments)
      if (!this.#index.hasDirectory(segment))
        this.#index.keepDirectory(segment, openDirectory(directory, segment));
    this.#seen = state;
  }
}

const UNSEEN: WordsState = { generation: -1, index_version: -1, purged: 0, buried: [] };

/** Whatever is asked of the index has been fetched before. */
const FETCHED = {
  directory: (segment: number): never => {
    throw new Error(`the directory of segment ${segment} was not fetched`);
  },
  block: (segment: number, ordinal: number): never => {
    throw new Error(`block ${ordinal} of segment ${segment} was not fetched`);
  },
};
