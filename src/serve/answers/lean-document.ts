import type { Document } from '../../model/document.js';
import type { JsonObject } from '../../model/json/json.js';
import { firstCharacters } from '../../text/graphemes.js';

/** What of a document's metadata helps an agent choose; file sizes and hashes only cost tokens. */
const TELLING = ['format', 'tags', 'collection', 'author', 'date', 'language'];

export type LeanDocument = Omit<Document, 'hash'>;

export function leanDocument(document: Document): LeanDocument {
  const metadata: JsonObject = Object.fromEntries(
    Object.entries(document.metadata).filter(([name]) => TELLING.includes(name)),
  );
  const { hash: _, ...rest } = document;
  return { ...rest, summary: firstCharacters(document.summary, 120), metadata };
}
