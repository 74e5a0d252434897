import type { DocumentRecords } from '../chunk/chunk.js';
import type { Chunk } from '../model/chunk.js';
import { reasonOf, StrataError } from '../model/errors.js';
import { contentHash } from '../model/hash.js';
import type { JsonObject } from '../model/json/json.js';
import type { ParsedDoc } from '../model/parsed.js';
import type { Block, Section } from '../model/section.js';
import type { Tree } from '../model/tree.js';

export interface ParsedFrom {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly tree: Tree;
  readonly records: DocumentRecords;
}

/**
 * What `parse` gives. Its records are several times as large as the text: each list is made when it is first read (and
 * the document cut when the first of them needs that), and whoever writes them out (`recordsOf`) need not have them all
 * at once.
 */
export class ParsedDocument implements ParsedDoc {
  // Only declared: fields are printed in the order in which the constructor gives them.
  declare readonly id: string;
  declare readonly path: string;
  declare readonly title: string;
  declare readonly summary: string;
  declare readonly format: string;
  declare readonly text: string;
  declare readonly hash: string;
  declare readonly metadata: JsonObject;
  declare readonly warnings: readonly string[];
  declare readonly sections: readonly Section[];
  declare readonly blocks: readonly Block[];
  declare readonly chunks: readonly Chunk[];
  declare readonly chunk_count: number;
  readonly #records: DocumentRecords;
  #summary: string | null = null;
  #sections: Section[] | null = null;
  #blocks: Block[] | null = null;
  #chunks: Chunk[] | null = null;

  static readonly #SUMMARY = {
    enumerable: true,
    get(this: ParsedDocument): string {
      this.#summary ??= this.#named((records) => records.summary);
      return this.#summary;
    },
  };

  /** The object's own, as any other field is: it is printed, compared and cloned like plain data. */
  static readonly #LAZY = {
    sections: {
      enumerable: true,
      get(this: ParsedDocument): readonly Section[] {
        this.#sections ??= this.#named((records) => [...records.sections()]);
        return this.#sections;
      },
    },
    blocks: {
      enumerable: true,
      get(this: ParsedDocument): readonly Block[] {
        this.#blocks ??= this.#named((records) => [...records.blocks()]);
        return this.#blocks;
      },
    },
    chunks: {
      enumerable: true,
      get(this: ParsedDocument): readonly Chunk[] {
        this.#chunks ??= this.#named((records) => records.allChunks());
        return this.#chunks;
      },
    },
    chunk_count: {
      enumerable: true,
      get(this: ParsedDocument): number {
        return this.#named((records) => records.chunk_count);
      },
    },
  };

  constructor({ id, path, title, tree, records }: ParsedFrom) {
    this.id = id;
    this.path = path;
    this.title = title;
    this.#records = records;
    Object.defineProperty(this, 'summary', ParsedDocument.#SUMMARY);
    this.format = tree.format;
    this.text = tree.text;
    this.hash = contentHash(tree.text);
    this.metadata = tree.metadata;
    this.warnings = tree.warnings;
    Object.defineProperties(this, ParsedDocument.#LAZY);
  }

  /** Whatever goes wrong, and however late, the error names the file. */
  #named<T>(make: (records: DocumentRecords) => T): T {
    try {
      return make(this.#records);
    } catch (error) {
      throw new StrataError('INTERNAL', `${this.path}: ${reasonOf(error)}`, { cause: error });
    }
  }

  static recordsOf(document: ParsedDoc): RecordLists {
    if (!(document instanceof ParsedDocument)) return listsOf(document);
    const records = document.#records;
    return {
      section_count: records.section_count,
      sections: () => records.sections(),
      blocks: () => records.blocks(),
      chunks: () => records.chunks(),
    };
  }
}

/** A document's records one after the other. */
export interface RecordLists {
  readonly section_count: number;
  sections(): Iterable<Section>;
  blocks(): Iterable<Block>;
  chunks(): Iterable<Chunk>;
}

export const recordsOf = (document: ParsedDoc): RecordLists => ParsedDocument.recordsOf(document);

const listsOf = ({ sections, blocks, chunks }: ParsedDoc): RecordLists => ({
  section_count: sections.length,
  sections: () => sections,
  blocks: () => blocks,
  chunks: () => chunks,
});
