import type { ContentType } from '../../model/chunk.js';
import type { Filter } from '../../store/filter.js';
import { contentTypesOf, documentMatcher, restrictsDocuments } from '../../store/filtering.js';
import type { Connection } from './connection.js';
import { chunkType, DOCUMENT } from './words/unit-page.js';
import type { UnitTable } from './words/unit-table.js';

/** How many resolved filters are kept until the library changes. */
const KEPT = 16;

/**
 * Filters become a set of documents (a byte a `knowledge_items.n`) and a set of unit types, so that scoring asks two
 * arrays. Sets are kept while the library stays as it is.
 */
export class Filters {
  readonly #connection: Connection;
  readonly #table: () => UnitTable;
  readonly #sets = new Map<string, Uint8Array>();

  constructor(connection: Connection, table: () => UnitTable) {
    this.#connection = connection;
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
    const byType = new Uint8Array(256);
    for (const type of wanted) byType[chunkType(type)] = 1;
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
    const byType = new Uint8Array(256);
    for (const type of wanted) byType[chunkType(type)] = 1;
    const holders = this.#holders(byType, wanted);
    return documents === null ? holders : holders.map((held, n) => held & (documents[n] ?? 0));
  }

  #documents(filter: Filter): Uint8Array {
    const { content_types: _, ...asked } = filter;
    return this.#kept(JSON.stringify(asked), () => {
      const matches = documentMatcher(asked);
      const needsMetadata = [asked.formats, asked.tags, asked.collections].some(
        (field) => field !== undefined,
      );
      const columns = `n, id, source_path, updated_at${needsMetadata ? ', metadata' : ''}`;
      const ids = asked.doc_ids;
      // A filter on ids names few documents: look those up instead of reading all.
      const rows =
        ids === undefined
          ? this.#connection.all(`SELECT ${columns} FROM knowledge_items`)
          : ids.flatMap((id) =>
              this.#connection.all(`SELECT ${columns} FROM knowledge_items WHERE id = ?`, id),
            );
      const set = new Uint8Array(this.#mostItems());
      for (const [n, id, source_path, updated_at, metadata] of rows as string[][]) {
        const document = { id: id!, source_path: source_path!, updated_at: updated_at! };
        if (matches({ ...document, metadata: metadata === undefined ? {} : JSON.parse(metadata) }))
          set[Number(n)] = 1;
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
    return Number(this.#connection.get('SELECT coalesce(max(n), 0) FROM knowledge_items')![0]) + 1;
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
