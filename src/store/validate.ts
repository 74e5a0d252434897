import type { Chunk } from '../model/chunk.js';
import type { Document } from '../model/document.js';
import { StrataError } from '../model/errors.js';
import { chunkId } from '../model/id.js';
import { isObject } from '../model/json/json.js';
import type { PassageVector } from '../model/passage-vector.js';
import type { Section } from '../model/section.js';
import type { UnitWords } from '../model/words.js';
import type { Change } from './backend.js';
import type { StoredVector } from './index/quantise.js';
import type { LexicalQuery } from './lexical.js';
import type { StoredDocument } from './records.js';
import { isCount, isUuid } from './stored.js';
import type { VectorBatch } from './vectors.js';

/**
 * What every driver refuses before it writes: a change that would break an invariant of the model. Checked here,
 * once for all, so that a defect above cannot become a damaged library. (Hashes are not computed again: `check` does.)
 */
export function validateChange(change: Change): void {
  if (change.signal?.aborted) throw new StrataError('ABORTED', 'Cancelled before the change was written.');
  const ids = new Set<string>();
  const sources = new Set<string>();
  for (const { document } of change.put ?? []) {
    const { id, source } = document;
    if (ids.has(id)) refuse(id, 'stands twice in one change');
    if (sources.has(source)) refuse(id, `shares its source "${source}" with another one of the same change`);
    ids.add(id);
    sources.add(source);
  }
  for (const { id, source } of change.rename ?? []) {
    if (!isUuid(id)) refuse(id, 'has an id that is no lower-case UUID');
    checkSource(id, source);
  }
  for (const { id, metadata } of change.touch ?? []) {
    if (!isUuid(id)) refuse(id, 'has an id that is no lower-case UUID');
    if (!isObject(metadata)) refuse(id, 'has metadata that is no object');
  }
}

function checkSource(id: string, source: string): void {
  if (source.includes('\u0000')) refuse(id, 'has a NUL character in its source');
}

/** For documents that are all there; whoever reads them one record after the other uses `RecordCheck`. */
export function validateDocument({ document, sections, content, chunks, words }: StoredDocument): void {
  const check = new RecordCheck(document, content.text);
  for (const { chunk } of chunks) check.chunk(chunk);
  for (const section of sections) check.section(section);
  check.finish();
  validateWords(document.id, words);
  for (const chunk of chunks) validateWords(document.id, chunk.words);
}

/** The same for records that come one after the other. */
export class RecordCheck {
  readonly #document: Document;
  readonly #text: string;
  readonly #hashes = new Set<string>();

  constructor(document: Document, text: string) {
    const { id, source } = document;
    if (!isUuid(id)) refuse(id, 'has an id that is no lower-case UUID');
    checkSource(id, source);
    this.#document = document;
    this.#text = text;
  }

  chunk(chunk: Chunk): void {
    const { id } = this.#document;
    const index = this.#hashes.size;
    const where = `chunk ${index}`;
    if (chunk.doc_id !== id) refuse(id, `${where} belongs to ${chunk.doc_id}`);
    if (chunk.chunk_index !== index) refuse(id, `${where} has the chunk_index ${chunk.chunk_index}`);
    if (this.#hashes.has(chunk.chunk_hash)) refuse(id, `${where} repeats the chunk_hash of an earlier one`);
    this.#hashes.add(chunk.chunk_hash);
    if (chunk.id !== chunkId(id, chunk.chunk_hash))
      refuse(id, `${where} has an id not derived from its chunk_hash`);
    if (this.#text.slice(chunk.start_position, chunk.end_position) !== chunk.content) {
      refuse(id, `${where} is not the text from ${chunk.start_position} to ${chunk.end_position}`);
    }
  }

  section({ id, doc_id }: Section): void {
    if (doc_id !== this.#document.id) refuse(this.#document.id, `section ${id} belongs to ${doc_id}`);
  }

  finish(): void {
    const { id, chunk_count } = this.#document;
    const { size } = this.#hashes;
    if (chunk_count !== size) refuse(id, `has a chunk_count of ${chunk_count} but ${size} chunks`);
  }
}

/** All but whether a term comes twice, for who finds that out on the way. */
export function validateCounts(id: string, words: UnitWords): void {
  if (!countsFit(words)) refuse(id, MISFITS);
}

export const refuseTwice = (id: string): never => refuse(id, TWICE);

export function validateWords(id: string, words: UnitWords): void {
  const problem = wordsProblem(words);
  if (problem !== null) refuse(id, problem);
}

/** What is wrong with a unit's words; null where nothing is. */
export function wordsProblem(words: UnitWords): string | null {
  if (!countsFit(words)) return MISFITS;
  return new Set(words.terms).size === words.terms.length ? null : TWICE;
}

const MISFITS = 'has words whose counts do not fit their terms';
const TWICE = 'has words that list a term twice';

function countsFit({ terms, body, title, body_length, title_length }: UnitWords): boolean {
  // Plain loops: this is asked of every passage, and lists made for it cost more than the asking.
  let fits = terms.length === body.length && terms.length === title.length;
  fits &&= isCount(body_length) && isCount(title_length);
  for (let i = 0; fits && i < terms.length; i++) {
    fits = isCount(body[i]) && isCount(title[i]) && body[i]! + title[i]! > 0;
  }
  return fits;
}

function refuse(id: string, problem: string): never {
  throw new StrataError('INVALID_RECORD', `Document ${id} ${problem}; nothing was written.`);
}

export function validateQuery({ terms, k }: LexicalQuery): void {
  if (!(k >= 0)) throw new StrataError('INVALID_ARGUMENT', `k is ${k}: it must be 0 or more.`);
  const bad = terms.find(({ weight }) => !Number.isFinite(weight) || weight < 0);
  if (bad !== undefined) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      `The term "${bad.term}" has the weight ${bad.weight}: use 0 or more.`,
    );
  }
  const ways = terms.flatMap(({ also = [] }) => also);
  if (ways.some(({ terms: said, share }) => said.length === 0 || !(share > 0 && share <= 1))) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      'A way to say a term has terms and a share above 0, at most 1.',
    );
  }
}

/** `known` is what the index already holds of that fingerprint, where it holds any. */
export function validateBatch(
  { fingerprint, dimensions, entries }: VectorBatch,
  known: number | undefined,
): void {
  if (known !== undefined && known !== dimensions) {
    const message = `Vectors of ${fingerprint} have ${known} dimensions here, not ${dimensions}.`;
    throw new StrataError('INVALID_ARGUMENT', message);
  }
  for (const entry of entries) {
    if ('stored' in entry ? isStored(entry.stored, dimensions) : isMade(entry, dimensions)) continue;
    const message = `The vector for ${entry.embed_key} is not ${dimensions} finite numbers; nothing was stored.`;
    throw new StrataError('INVALID_ARGUMENT', message);
  }
}

const isMade = ({ vector, parts = [] }: PassageVector, dimensions: number): boolean =>
  [vector, ...parts].every((one) => one.length === dimensions && one.every(Number.isFinite));

/** The codes of parts may end before the zeros at their end. */
const isStored = ({ scale, codes, parts = [] }: StoredVector, dimensions: number): boolean =>
  Number.isFinite(scale) &&
  codes.length === dimensions &&
  parts.every((part) => Number.isFinite(part.scale) && part.codes.length <= dimensions);
