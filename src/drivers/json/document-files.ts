import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Chunk } from '../../model/chunk.js';
import type { Document } from '../../model/document.js';
import { reasonOf } from '../../model/errors.js';
import { isObject } from '../../model/json/json.js';
import type { Section } from '../../model/section.js';
import type { Span, TreeBlock } from '../../model/tree.js';
import type { UnitWords } from '../../model/words.js';
import type { ChunkWrite } from '../../store/backend.js';
import type { StoredDocument } from '../../store/records.js';
import {
  isChunk,
  isCount,
  isDocument,
  isListOf,
  isSection,
  isStructure,
  isText,
} from '../../store/stored.js';
import { wordsProblem } from '../../store/validate.js';
import { DOCUMENT_COPY, DOCUMENT_FILE, sliceName, TEXT_FILE, WORDS_FILE } from './layout.js';
import { isFolder, readLibraryText } from './library-file.js';
import { seal, unseal } from './sealed.js';

/**
 * A document as files, and back. A slice's file is the seed's KnowledgeRecord (its six fields first, ours behind);
 * what belongs to the whole document stands in files beside them. Everything is there twice in some form, so that one
 * damaged file can be made again from the others: a slice from the text and the document's list of slices; the text
 * from the slices and the gaps between them; the rest has a copy.
 */
interface DocumentFile {
  readonly document: Document;
  readonly sections: readonly Section[];
  readonly blocks: readonly TreeBlock[];
  readonly pages: readonly number[];
  readonly excluded: readonly Span[];
  /** Where the text has something that no slice holds. */
  readonly gaps: readonly (readonly [start: number, text: string])[];
  readonly slices: readonly SliceEntry[];
}

interface SliceEntry {
  readonly embed_key: string;
  readonly chunk: Omit<Chunk, 'content'>;
}

interface WordsFile {
  readonly document: UnitWords;
  /** In the order of the slices. */
  readonly slices: readonly UnitWords[];
}

/** Texts of all files of a document, by name. */
export function documentFiles(write: StoredDocument): ReadonlyMap<string, string> {
  const { document, sections, content, chunks, words } = write;
  const { text, blocks, pages, excluded } = content;
  const slices = chunks.map(({ chunk: { content: _, ...chunk }, embed_key }) => ({ embed_key, chunk }));
  const file: DocumentFile = { document, sections, blocks, pages, excluded, gaps: gapsOf(write), slices };
  const wordsFile: WordsFile = { document: words, slices: chunks.map((chunk) => chunk.words) };
  const sealed = seal(file);
  const files = new Map([
    [DOCUMENT_FILE, sealed],
    [DOCUMENT_COPY, sealed],
    [TEXT_FILE, seal({ text })],
    // Thousands of numbers: not for people, so on one line.
    [WORDS_FILE, seal(wordsFile, 0)],
  ]);
  for (const { chunk } of chunks) {
    files.set(sliceName(chunk.chunk_index, chunk.id), seal(knowledgeRecord(chunk, document)));
  }
  return files;
}

/** The seed's fields in the seed's order, then the rest of the chunk. */
function knowledgeRecord(chunk: Chunk, { source_path }: Document): object {
  const { id, title, parent_doc_title, summary, content, ...rest } = chunk;
  return { id, title, parent_doc_title, summary, content, source_path, ...rest };
}

function gapsOf({ content: { text }, chunks }: StoredDocument): [number, string][] {
  const gaps: [number, string][] = [];
  let at = 0;
  for (const { chunk } of [...chunks].sort((a, b) => a.chunk.start_position - b.chunk.start_position)) {
    if (chunk.start_position > at) gaps.push([at, text.slice(at, chunk.start_position)]);
    at = Math.max(at, chunk.end_position);
  }
  if (at < text.length) gaps.push([at, text.slice(at)]);
  return gaps;
}

export interface Problem {
  /** `record`, `words` or `file`: an area of Finding. */
  readonly area: string;
  readonly message: string;
}

export interface ReadDocument {
  /** What can be served: without its damaged slices; null when document.json and its copy are damaged or missing. */
  readonly write: StoredDocument | null;
  /** The same with what could be made again from the rest; null when something is missing for good. */
  readonly repaired: StoredDocument | null;
  /** Its words are damaged or were never there; the library makes them again from the text. */
  readonly wordless: boolean;
  readonly problems: readonly Problem[];
}

const NO_WORDS: UnitWords = { terms: [], body: [], title: [], body_length: 0, title_length: 0 };

/** Synchronous on purpose: small files in a row are read several times faster so. `all`: the copy too, needed or not. */
export function readDocument(folder: string, id: string, { all = false } = {}): ReadDocument {
  const problems: Problem[] = [];
  const read = <T>(name: string, area: string, is: (value: unknown) => value is T): T | null => {
    try {
      const value = unseal(readLibraryText(join(folder, name)));
      if (is(value)) return value;
      problems.push({ area, message: `${join(folder, name)} is damaged` });
    } catch (error) {
      problems.push({ area, message: `${join(folder, name)} cannot be read: ${reasonOf(error)}` });
    }
    return null;
  };
  const isOwn = (value: unknown): value is DocumentFile => isDocumentFile(value, id);
  // A link may lead anywhere: what stands behind it is not read.
  const here = isFolder(folder);
  if (!here) problems.push({ area: 'record', message: `${folder} is missing or no folder` });
  const first = here ? read(DOCUMENT_FILE, 'record', isOwn) : null;
  const copy = here && (first === null || all) ? read(DOCUMENT_COPY, 'record', isOwn) : null;
  const file = first ?? copy;
  if (file === null) return { write: null, repaired: null, wordless: true, problems };
  const text = read(TEXT_FILE, 'record', isTextFile)?.text ?? null;
  const words = read(WORDS_FILE, 'words', isWordsFile);
  const slices = file.slices.map(({ chunk }) =>
    read(sliceName(chunk.chunk_index, chunk.id), 'record', isSliceFile),
  );

  const served: ChunkWrite[] = [];
  const repaired: ChunkWrite[] = [];
  for (const [i, { chunk: kept, embed_key }] of file.slices.entries()) {
    // Files of earlier versions know the main type only.
    const chunk = { ...kept, content_types: kept.content_types ?? [kept.content_type] };
    const rest = { embed_key, words: words?.slices[i] ?? NO_WORDS };
    const content = slices[i]?.content ?? null;
    if (content !== null) served.push({ chunk: { ...chunk, content }, ...rest });
    const again = content ?? text?.slice(chunk.start_position, chunk.end_position) ?? null;
    if (again !== null) repaired.push({ chunk: { ...chunk, content: again }, ...rest });
  }
  const whole = text ?? textOf(file, served);
  const { document, sections, blocks, pages, excluded } = file;
  const common = { document, sections, words: words?.document ?? NO_WORDS };
  const content = (known: string | null) => ({ text: known ?? '', blocks, pages, excluded });
  const complete = whole !== null && repaired.length === file.slices.length;
  return {
    write: { ...common, content: content(whole), chunks: served },
    wordless: isWordless(words, whole ?? ''),
    repaired: complete ? { ...common, content: content(whole), chunks: repaired } : null,
    problems,
  };
}

/** Text with letters gives words; a document repaired without them has none in any part. */
function isWordless(words: WordsFile | null, text: string): boolean {
  if (words === null) return true;
  const none = [words.document, ...words.slices].every(({ terms }) => terms.length === 0);
  return none && words.slices.length > 0 && /\p{L}{2}/u.test(text);
}

const isSliceFile = (value: unknown): value is { readonly content: string } =>
  isObject(value) && isText(value.content);

const isTextFile = (value: unknown): value is { readonly text: string } =>
  isObject(value) && isText(value.text);

/** A document's own file: every record in it is one, and belongs to this document. */
function isDocumentFile(value: unknown, id: string): value is DocumentFile {
  if (!isObject(value)) return false;
  const { document, sections, gaps, slices } = value;
  if (!isDocument(document) || !isStructure(value)) return false;
  return (
    document.id === id &&
    isListOf(sections, isSection) &&
    sections.every(({ doc_id }) => doc_id === id) &&
    isListOf(gaps, isGap) &&
    isListOf(slices, isSlice) &&
    slices.every(({ chunk }, i) => chunk.doc_id === id && chunk.chunk_index === i)
  );
}

const isGap = (value: unknown): value is readonly [number, string] =>
  Array.isArray(value) && isCount(value[0]) && isText(value[1]);

const isSlice = (value: unknown): value is SliceEntry =>
  isObject(value) && isText(value.embed_key) && isChunk(value.chunk);

const isWordsFile = (value: unknown): value is WordsFile =>
  isObject(value) && isWords(value.document) && isListOf(value.slices, isWords);

const isWords = (value: unknown): value is UnitWords =>
  isObject(value) &&
  isListOf(value.terms, isText) &&
  Array.isArray(value.body) &&
  Array.isArray(value.title) &&
  wordsProblem(value as unknown as UnitWords) === null;

/** The text from its slices and gaps; null while a slice is missing. */
function textOf({ gaps, slices }: DocumentFile, chunks: readonly ChunkWrite[]): string | null {
  if (chunks.length !== slices.length) return null;
  const pieces = [
    ...gaps.map(([start, text]) => ({ start, text })),
    ...chunks.map(({ chunk }) => ({ start: chunk.start_position, text: chunk.content })),
  ].sort((a, b) => a.start - b.start);
  let whole = '';
  for (const { start, text } of pieces) {
    if (start > whole.length) return null;
    // Slices overlap: only what is new is added.
    whole += text.slice(whole.length - start);
  }
  return whole;
}

/** Where a damaged document came from, as far as one of its slices still says. */
export function sourceOfDamaged(folder: string): string | null {
  if (!isFolder(folder)) return null;
  try {
    for (const name of readdirSync(folder)) {
      const value = unseal(readLibraryText(join(folder, name)));
      if (typeof value?.source_path === 'string') return value.source_path;
    }
  } catch {
    // Nothing readable: nothing to say.
  }
  return null;
}
