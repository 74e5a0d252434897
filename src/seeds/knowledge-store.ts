import { jsonBackend } from '../drivers/json/backend.js';
import { parse as parseFile } from '../ingest/parse-file.js';
import { wholeChunk } from '../ingest/prepare/cut-fallback.js';
import type { Chunk } from '../model/chunk.js';
import type { Document } from '../model/document.js';
import { StrataError } from '../model/errors.js';
import { contentHash, repeatedHash } from '../model/hash.js';
import { chunkId } from '../model/id.js';
import { embedKey } from '../model/indexed.js';
import type { ParsedDoc } from '../model/parsed.js';
import type { TreeBlock } from '../model/tree.js';
import type { Backend, Finding } from '../store/backend.js';
import type { StoredDocument } from '../store/records.js';
import { parseQuery, type Query } from '../text/query.js';
import { chunkWords, documentWords, unitWords } from '../text/words.js';
import { checked, count, filled, json, list, object, refuse, text } from './fields.js';
import { chunkByGivenId, givenId, givenIdRecords, ownItemId, withGivenId } from './given-ids.js';

/** A slice, or a document without slices, as seed 001 names its fields. */
export interface KnowledgeRecord {
  readonly id: string;
  readonly title: string;
  /** Equal to `title` for a document that was not sliced. */
  readonly parent_doc_title: string;
  /** The first 200 characters. */
  readonly summary: string;
  readonly content: string;
  readonly source_path: string;
}

/** What `scout` gives: slices, and documents whose own title or summary matches. */
export type RecordBrief = Pick<KnowledgeRecord, 'id' | 'title' | 'parent_doc_title' | 'summary'> &
  (
    | { readonly is_parent: true; readonly chunk_count: number }
    | { readonly is_parent: false; readonly parent_id: string; readonly position: number }
  );

/** What `inspect` gives: a record, or a document with all its records in order. */
export type RecordInspection =
  | (KnowledgeRecord & { readonly is_parent: false; readonly parent_id: string })
  | {
      readonly is_parent: true;
      readonly id: string;
      readonly title: string;
      readonly children: readonly KnowledgeRecord[];
    };

/** A chunk with the names seed 000 gives to its document and its place. */
export interface H2Chunk extends Chunk {
  readonly parent_id: string;
  readonly position: number;
}

export interface H2Document extends ParsedDoc {
  readonly chunks: readonly H2Chunk[];
}

/** A file cut at its H2 headings. */
export async function parse(path: string): Promise<H2Document> {
  const parsed = await parseFile(path, { strategy: 'h2' });
  const chunks = parsed.chunks.map((chunk) => ({
    ...chunk,
    parent_id: chunk.doc_id,
    position: chunk.chunk_index,
  }));
  return { ...parsed, chunks };
}

/** As the library keeps them: each fact once, under ids of its own that remember those given. */
function libraryChunks(docId: string, given: readonly (Chunk | H2Chunk)[]): Chunk[] {
  const repeats = new Map<string, number>();
  return given.map((slice) => {
    const { parent_id: _, position: __, ...chunk } = slice as H2Chunk;
    const hash = contentHash(chunk.content);
    const repeat = repeats.get(hash) ?? 0;
    repeats.set(hash, repeat + 1);
    const chunk_hash = repeatedHash(hash, repeat);
    const id = chunkId(docId, chunk_hash);
    return {
      ...chunk,
      id,
      doc_id: docId,
      hash,
      chunk_hash,
      metadata: withGivenId(chunk.metadata, chunk.id, id),
    };
  });
}

/**
 * Seed 001's store: slices as JSON files in a directory, written all or not at all. The directory is an ordinary
 * library (`--store json:DIR`); only the words are the seed's.
 */
export class KnowledgeStore {
  readonly #backend: Backend;

  private constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Makes the directory where there is none, and sweeps what a crash left in it. */
  static async open(directory: string): Promise<KnowledgeStore> {
    if (!filled.accepts(directory)) refuse('directory', `must be ${filled.wants}`);
    return new KnowledgeStore(await jsonBackend({ path: directory }));
  }

  /** Seed 000's: the same in a LanceDB directory, which is created or opened. */
  static async openLance(directory: string): Promise<KnowledgeStore> {
    if (!filled.accepts(directory)) refuse('directory', `must be ${filled.wants}`);
    const { lancedbBackend } = await import('../drivers/lancedb/backend.js');
    return new KnowledgeStore(await lancedbBackend({ path: directory }));
  }

  /** All slices or none; their ids as given, in order. The same document again replaces its slices. */
  async add(parsed: ParsedDoc): Promise<string[]> {
    checked(parsed, 'document', PARSED_FIELDS);
    for (const [at, chunk] of parsed.chunks.entries()) checked(chunk, `chunks[${at}]`, SLICE_FIELDS);
    const source = `file:${parsed.path.replaceAll('\\', '/')}`;
    const before = await this.#backend.documentBySource(source);
    const remove = before !== null && before.id !== ownItemId(parsed.id) ? [before.id] : [];
    const write = asWrite(parsed, source);
    const chunks = write.chunks.map(({ chunk }) => chunk);
    const records = await givenIdRecords(this.#backend, before?.id ?? write.document.id, chunks);
    await this.#backend.commit({ put: [write], remove, records });
    return chunks.map(givenId);
  }

  /** Records whose title or summary holds a word of the query, best first. */
  async search(query: string): Promise<KnowledgeRecord[]> {
    return (await this.#slices(query)).map(({ record }) => record);
  }

  /** Briefs of slices and of documents, best first. */
  async scout(query: string): Promise<RecordBrief[]> {
    const { terms } = parseQuery(query);
    const asked = { terms, k: Number.POSITIVE_INFINITY, kind: 'document', scorer: 'bm25' } as const;
    const briefs: { readonly brief: RecordBrief; readonly score: number }[] = [];
    for (const { id, score } of await this.#backend.words.match(asked)) {
      const document = await this.#backend.document(id);
      if (document === null) continue;
      const { title, summary, chunk_count } = document;
      const brief = {
        id: givenId(document),
        title,
        parent_doc_title: title,
        summary,
        chunk_count,
        is_parent: true as const,
      };
      if (matches(terms, brief)) briefs.push({ brief, score });
    }
    for (const { record, parent_id, position, score } of await this.#slices(query)) {
      const { id, title, parent_doc_title, summary } = record;
      const brief = { id, title, parent_doc_title, summary, parent_id, position, is_parent: false as const };
      briefs.push({ brief, score });
    }
    return briefs.sort((a, b) => b.score - a.score).map(({ brief }) => brief);
  }

  async inspect(id: string): Promise<RecordInspection> {
    const chunk = await chunkByGivenId(this.#backend, id);
    const document = await this.#backend.document(chunk?.doc_id ?? ownItemId(id));
    if (document === null) throw new StrataError('NOT_FOUND', `No document or slice has the id "${id}".`);
    if (chunk !== null)
      return { ...asRecord(chunk, document), is_parent: false, parent_id: givenId(document) };
    const chunks = await this.#backend.chunksOf(document.id);
    const children = chunks.map((child) => asRecord(child, document));
    return { is_parent: true, id: givenId(document), title: document.title, children };
  }

  /** Records that are damaged, and therefore left out of the others' answers. */
  async damage(): Promise<readonly Finding[]> {
    return (await this.#backend.damage?.()) ?? [];
  }

  close(): Promise<void> {
    return this.#backend.close();
  }

  async #slices(query: string) {
    const { terms } = parseQuery(query);
    const asked = { terms, k: Number.POSITIVE_INFINITY, kind: 'chunk', scorer: 'bm25' } as const;
    const found = await this.#backend.words.match(asked);
    const scores = new Map(found.map(({ id, score }) => [id, score]));
    const documents = new Map<string, Document | null>();
    const slices: { record: KnowledgeRecord; parent_id: string; position: number; score: number }[] = [];
    for (const chunk of await this.#backend.chunksById([...scores.keys()])) {
      const { id, doc_id, chunk_index: position } = chunk;
      if (!documents.has(doc_id)) documents.set(doc_id, await this.#backend.document(doc_id));
      const document = documents.get(doc_id);
      if (!document) continue;
      const record = asRecord(chunk, document);
      const score = scores.get(id)!;
      if (matches(terms, record)) slices.push({ record, parent_id: givenId(document), position, score });
    }
    return slices;
  }
}

const PARSED_FIELDS = {
  id: filled,
  path: filled,
  title: text,
  summary: text,
  format: text,
  text,
  hash: filled,
  metadata: json,
  sections: list,
  blocks: list,
  chunks: list,
};
const SLICE_FIELDS = {
  id: filled,
  title: text,
  title_path: list,
  summary: text,
  content: filled,
  chunk_index: count,
  start_position: count,
  end_position: count,
  loc: object,
  metadata: json,
};

/** The index holds the whole content; the seeds ask for title and summary. */
function matches(
  terms: Query['terms'],
  { title, parent_doc_title, summary }: Pick<KnowledgeRecord, 'title' | 'parent_doc_title' | 'summary'>,
): boolean {
  const wanted = new Set(terms.filter(({ weight }) => weight > 0).map(({ term }) => term));
  return unitWords(`${title}\n${parent_doc_title}`, summary).terms.some((term) => wanted.has(term));
}

function asRecord(chunk: Chunk, document: Document): KnowledgeRecord {
  const { title, parent_doc_title, summary, content } = chunk;
  const isWhole = document.metadata.sliced === false;
  return {
    id: givenId(chunk),
    title: isWhole ? parent_doc_title : title,
    parent_doc_title,
    summary,
    content,
    source_path: document.source_path,
  };
}

/** A parsed document as the library keeps it. */
function asWrite(parsed: ParsedDoc, source: string): StoredDocument {
  const { path, title, summary, format, text, hash, metadata } = parsed;
  const id = ownItemId(parsed.id);
  const sections = parsed.sections.map((section) => ({ ...section, doc_id: id }));
  const sliced = sections.some(({ level }) => level === 2);
  const given = libraryChunks(id, parsed.chunks);
  const chunks =
    given.length > 0 || text.trim() === ''
      ? given
      : [wholeChunk({ text, excluded: [] }, { doc_id: id, title })];
  const document: Document = {
    id,
    source,
    source_path: path,
    title,
    summary,
    hash,
    updated_at: new Date().toISOString(),
    chunk_count: chunks.length,
    is_parent: true,
    metadata: withGivenId({ ...metadata, format, sliced }, parsed.id, id),
  };
  return {
    document,
    sections,
    content: { text, blocks: blocksOf(parsed), pages: [], excluded: [] },
    chunks: chunks.map((chunk) => ({ chunk, embed_key: embedKey(chunk), words: chunkWords(chunk) })),
    words: documentWords(document),
  };
}

/** Blocks as spans again: their offset and text say where they stand. */
function blocksOf({ blocks, sections, text }: ParsedDoc): TreeBlock[] {
  const all = [
    ...blocks.map((block) => ({ block, section: -1 })),
    ...sections.flatMap((section, index) => section.blocks.map((block) => ({ block, section: index }))),
  ];
  return all.flatMap(({ block, section }) => {
    const start = block.loc.offset;
    if (start === undefined || !text.startsWith(block.text, start)) return [];
    const { lang } = block.meta;
    return [
      {
        type: block.type,
        section,
        start,
        end: start + block.text.length,
        ...(lang !== undefined && { lang }),
      },
    ];
  });
}
