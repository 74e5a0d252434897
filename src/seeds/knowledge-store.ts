import { jsonBackend } from '../drivers/json/backend.js';
import { wholeChunk } from '../ingest/cut-fallback.js';
import { parse as parseFile } from '../ingest/parse-file.js';
import type { Chunk } from '../model/chunk.js';
import type { Document } from '../model/document.js';
import { StrataError } from '../model/errors.js';
import { embedKey } from '../model/indexed.js';
import type { ParsedDoc } from '../model/parsed.js';
import type { TreeBlock } from '../model/tree.js';
import type { Backend, Finding } from '../store/backend.js';
import type { StoredDocument } from '../store/records.js';
import { parseQuery, type Query } from '../text/query.js';
import { chunkWords, documentWords, unitWords } from '../text/words.js';
import { checked, count, filled, json, list, object, refuse, text } from './fields.js';

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

/** As the library keeps it: each fact once. */
function withoutNames(chunk: Chunk | H2Chunk): Chunk {
  const { parent_id: _, position: __, ...own } = chunk as H2Chunk;
  return own;
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

  /** All slices or none; their ids, in order. The same document again replaces its slices. */
  async add(parsed: ParsedDoc): Promise<string[]> {
    checked(parsed, 'document', PARSED_FIELDS);
    for (const [at, chunk] of parsed.chunks.entries()) checked(chunk, `chunks[${at}]`, SLICE_FIELDS);
    const source = `file:${parsed.path.replaceAll('\\', '/')}`;
    const before = await this.#backend.documentBySource(source);
    const remove = before !== null && before.id !== parsed.id ? [before.id] : [];
    const write = asWrite(parsed, source);
    await this.#backend.commit({ put: [write], remove });
    return write.chunks.map(({ chunk }) => chunk.id);
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
      const brief = { id, title, parent_doc_title: title, summary, chunk_count, is_parent: true as const };
      if (matches(terms, brief)) briefs.push({ brief, score });
    }
    for (const { record, chunk, score } of await this.#slices(query)) {
      const { id, title, parent_doc_title, summary } = record;
      const place = { parent_id: chunk.doc_id, position: chunk.chunk_index, is_parent: false as const };
      briefs.push({ brief: { id, title, parent_doc_title, summary, ...place }, score });
    }
    return briefs.sort((a, b) => b.score - a.score).map(({ brief }) => brief);
  }

  async inspect(id: string): Promise<RecordInspection> {
    const chunk = await this.#backend.chunk(id);
    if (chunk !== null) {
      const [record] = await this.#records([chunk]);
      if (record !== undefined) return { ...record, is_parent: false, parent_id: chunk.doc_id };
    }
    const document = await this.#backend.document(id);
    if (document === null) throw new StrataError('NOT_FOUND', `No document or slice has the id "${id}".`);
    const children = await this.#records(await this.#backend.chunksOf(id));
    return { is_parent: true, id, title: document.title, children };
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
    const chunks = await this.#backend.chunksById(found.map(({ id }) => id));
    const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
    const records = (await this.#records(chunks)).filter((record) => matches(terms, record));
    return records.map((record) => ({
      record,
      chunk: byId.get(record.id)!,
      score: scores.get(record.id)!,
    }));
  }

  async #records(chunks: readonly Chunk[]): Promise<KnowledgeRecord[]> {
    const documents = new Map<string, Document | null>();
    for (const { doc_id } of chunks) {
      if (!documents.has(doc_id)) documents.set(doc_id, await this.#backend.document(doc_id));
    }
    return chunks.flatMap((chunk) => {
      const document = documents.get(chunk.doc_id);
      return document ? [asRecord(chunk, document)] : [];
    });
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

function asRecord(
  { id, title, parent_doc_title, summary, content }: Chunk,
  document: Document,
): KnowledgeRecord {
  const isWhole = document.metadata.sliced === false;
  return {
    id,
    title: isWhole ? parent_doc_title : title,
    parent_doc_title,
    summary,
    content,
    source_path: document.source_path,
  };
}

/** A parsed document as the library keeps it. */
function asWrite(parsed: ParsedDoc, source: string): StoredDocument {
  const { id, path, title, summary, format, text, hash, metadata, sections } = parsed;
  const sliced = sections.some(({ level }) => level === 2);
  const given = parsed.chunks.map(withoutNames);
  const chunks = given.length > 0 || text.trim() === '' ? given : [wholeOf(parsed)];
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
    metadata: { ...metadata, format, sliced },
  };
  return {
    document,
    sections,
    content: { text, blocks: blocksOf(parsed), pages: [], excluded: [] },
    chunks: chunks.map((chunk) => ({ chunk, embed_key: embedKey(chunk), words: chunkWords(chunk) })),
    words: documentWords(document),
  };
}

const wholeOf = ({ id, title, text }: ParsedDoc): Chunk =>
  wholeChunk({ text, excluded: [] }, { doc_id: id, title });

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
