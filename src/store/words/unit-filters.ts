import type { ContentType } from '../../model/chunk.js';
import type { Filter } from '../filter.js';
import {
  contentTypesOf,
  documentMatcher,
  type FilterableDocument,
  restrictsDocuments,
} from '../filtering.js';
import { DOCUMENT, typesHolding } from './unit-page.js';
import type { UnitTable } from './unit-table.js';

/** A document with its number in the store, by which units name it. */
export type FilterRow = FilterableDocument & { readonly n: number };

/** The documents with these ids, or all of them. Their metadata may be left out where it is not needed. */
export type FilterRows = (ids: readonly string[] | undefined, needsMetadata: boolean) => Iterable<FilterRow>;

/** How many resolved filters are kept until the library changes. */
const KEPT = 16;

/**
 * Filters become a set of documents (a byte for each document's number) and a set of unit types, so that scoring asks two
 * arrays. Sets are kept while the library stays as it is.
 */
export class UnitFilters {
  readonly #documentsOf: FilterRows;
  readonly #table: () => UnitTable;
  readonly #sets = new Map<string, Uint8Array>();

  constructor(documentsOf: FilterRows, table: () => UnitTable) {
    this.#documentsOf = documentsOf;
    this.#table = table;
  }

  /** To be called when the library has changed. */
  forget(): void {
    this.#sets.clear();
  }

  /** Which slots of the unit table pass; null where nothing is asked. Inside a read. */
  slots(filter: Filter | undefined): ((slot: number) => boolean) | null {
    if (filter === undefined) return null;
    const { types, items } = this.#table();
    const documents = restrictsDocuments(filter) ? this.#documents(filter) : null;
    const wanted = contentTypesOf(filter);
    if (wanted === null) return documents === null ? null : (slot) => documents[items[slot]!] === 1;
    const byType = typesHolding(wanted);
    const holders = this.#holders(byType, wanted);
    return (slot) => {
      const item = items[slot]!;
      if (documents !== null && documents[item] !== 1) return false;
      return types[slot] === DOCUMENT ? holders[item] === 1 : byType[types[slot]!] === 1;
    };
  }

  /** Which chunk units pass. Inside a read. */
  units(filter: Filter | undefined): (unit: number) => boolean {
    const passes = this.slots(filter);
    if (passes === null) return () => true;
    const table = this.#table();
    return (unit) => {
      const slot = table.slot(unit);
      return slot !== -1 && passes(slot);
    };
  }

  /** By `n`: 1 where the document passes, content types included. Inside a read. */
  items(filter: Filter): Uint8Array | null {
    const documents = restrictsDocuments(filter) ? this.#documents(filter) : null;
    const wanted = contentTypesOf(filter);
    if (wanted === null) return documents;
    const byType = typesHolding(wanted);
    const holders = this.#holders(byType, wanted);
    return documents === null ? holders : holders.map((held, n) => held & (documents[n] ?? 0));
  }

  #documents(filter: Filter): Uint8Array {
    const { content_types: _, ...asked } = filter;
    return this.#kept(JSON.stringify(asked), () => {
      const matches = documentMatcher(asked);
      const { file_types, tags, collections, tools, granted_tables } = asked;
      const needsMetadata = [file_types, tags, collections, tools, granted_tables].some(
        (field) => field !== undefined,
      );
      const set = new Uint8Array(this.#mostItems());
      for (const document of this.#documentsOf(asked.doc_ids, needsMetadata)) {
        if (matches(document)) set[document.n] = 1;
      }
      return set;
    });
  }

  /** Documents that have a chunk of one of these types. */
  #holders(byType: Uint8Array, wanted: ReadonlySet<ContentType>): Uint8Array {
    return this.#kept(`types ${[...wanted].sort().join()}`, () => {
      const { types, items, size } = this.#table();
      const set = new Uint8Array(this.#mostItems());
      for (let slot = 0; slot < size; slot++) if (byType[types[slot]!] === 1) set[items[slot]!] = 1;
      return set;
    });
  }

  #mostItems(): number {
    const { items, size } = this.#table();
    let most = 0;
    for (let slot = 0; slot < size; slot++) if (items[slot]! > most) most = items[slot]!;
    return most + 1;
  }

  #kept(key: string, make: () => Uint8Array): Uint8Array {
    const known = this.#sets.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (this.#sets.size >= KEPT) this.#sets.clear();
    this.#sets.set(key, made);
    return made;
  }
}
