import type { Chunk, ContentType } from '../model/chunk.js';
import type { Document } from '../model/document.js';
import { contentHash, repeatedHash, sha256 } from '../model/hash.js';
import { chunkId, derivedId, sectionId } from '../model/id.js';
import { embeddedText } from '../model/indexed.js';
import type { JsonObject } from '../model/json/json.js';
import type { Section } from '../model/section.js';
import type { TreeBlock } from '../model/tree.js';
import type { UnitWords } from '../model/words.js';
import type { ChunkWrite } from './backend.js';
import type { StoredDocument } from './records.js';

/**
 * Small well-formed documents for the suites, the kill harness and the benchmarks: a section, a block and a chunk a
 * part, words split at spaces. What parsing, chunking and analysis really give is not the store's business.
 */
export interface SamplePart {
  readonly heading: string;
  readonly body: string;
  readonly type?: ContentType;
  /** All types it holds, the main one first, where there is more than one. */
  readonly types?: readonly ContentType[];
}

export interface Sample {
  /** Unless given, derived from `source`. */
  readonly id?: string;
  readonly source: string;
  readonly title: string;
  readonly parts: readonly SamplePart[];
  readonly metadata?: JsonObject;
  readonly updated_at?: string;
}

export function sampleWrite({
  id: given,
  source,
  title,
  parts,
  metadata,
  updated_at,
}: Sample): StoredDocument {
  const id = given ?? derivedId('sample', source);
  const seen = new Map<string, number>();
  const paths = new Map<string, number>();
  const sections: Section[] = [];
  const blocks: TreeBlock[] = [];
  const chunks: ChunkWrite[] = [];
  let text = '';
  for (const [index, { heading, body, type = 'text', types = [type] }] of parts.entries()) {
    const occurrence = count(paths, heading);
    const section_id = sectionId(id, [heading], occurrence);
    const line = text.split('\n').length;
    const start = text.length;
    const content = `## ${heading}\n\n${body}`;
    text += `${content}\n\n`;
    const end = start + content.length;
    const loc = { lines: { from: line, to: line + content.split('\n').length - 1 } };
    const at = { start: end - body.length, end };
    blocks.push({ type: 'paragraph', section: index, ...at });
    const block = {
      type: 'paragraph',
      text: body,
      meta: { token_count: body.length },
      loc: { offset: at.start },
    } as const;
    const positions = { start_position: start, end_position: end };
    const titles = { title: heading, title_path: [heading] };
    sections.push({
      id: section_id,
      doc_id: id,
      parent_id: id,
      ...titles,
      level: 2,
      ...positions,
      loc,
      blocks: [block],
    });
    const hash = contentHash(content);
    const chunk_hash = repeatedHash(hash, count(seen, hash));
    const chunk: Chunk = {
      id: chunkId(id, chunk_hash),
      doc_id: id,
      section_id,
      ...titles,
      parent_doc_title: title,
      chunk_index: index,
      content_type: types[0]!,
      content_types: types,
      content,
      summary: first(content, 200),
      token_count: Math.ceil(content.length / 4),
      ...positions,
      loc,
      hash,
      chunk_hash,
      source_hint: '',
      is_parent: false,
      metadata: {},
    };
    chunks.push({
      chunk,
      embed_key: sha256(embeddedText(chunk)),
      words: sampleWords(body, `${title} ${heading}`),
    });
  }
  const summary = first(parts.map(({ body }) => first(body, 40)).join(' '), 500);
  const document = {
    id,
    source,
    source_path: source.replace(/^file:/, ''),
    title,
    summary,
    hash: contentHash(text),
    updated_at: updated_at ?? '2026-01-01T00:00:00.000Z',
    chunk_count: chunks.length,
    is_parent: true,
    metadata: metadata ?? { format: 'markdown' },
  } as const;
  const content = { text, blocks, pages: [], excluded: [] };
  return { document, sections, content, chunks, words: sampleWords(summary, title) };
}

/** The words of a sample's records, made again: what a driver that rebuilds its index is given. */
export const sampleReindex = {
  chunk: ({ content, title, parent_doc_title }: Chunk): UnitWords =>
    sampleWords(content.slice(`## ${title}\n\n`.length), `${parent_doc_title} ${title}`),
  document: ({ summary, title }: Document): UnitWords => sampleWords(summary, title),
};

/** Words split at spaces, in lower case. */
export function sampleWords(body: string, title: string): UnitWords {
  const bodyWords = split(body);
  const titleWords = split(title);
  const terms = [...new Set([...titleWords, ...bodyWords])];
  const tally = (words: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return terms.map((term) => counts.get(term) ?? 0);
  };
  return {
    terms,
    body: tally(bodyWords),
    title: tally(titleWords),
    body_length: bodyWords.length,
    title_length: titleWords.length,
  };
}

const split = (text: string): string[] => text.toLowerCase().split(/\s+/u).filter(Boolean);

/** Whole code points: nothing is cut inside a surrogate pair. */
const first = (text: string, count: number): string => [...text].slice(0, count).join('');

/** How often the key was seen before. */
function count(seen: Map<string, number>, key: string): number {
  const before = seen.get(key) ?? 0;
  seen.set(key, before + 1);
  return before;
}
