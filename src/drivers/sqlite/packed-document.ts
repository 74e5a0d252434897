import type { UnitWords } from '../../model/words.js';
import type { DocumentWrite, PackedWrite } from '../../store/backend.js';
import { unitNorm } from '../../store/scoring.js';
import { validateDocument } from '../../store/validate.js';
import { packContent } from './packing.js';
import { chunkFields, wordsChecksum } from './rows.js';
import { chunkType, DOCUMENT } from './unit-page.js';
import type { Value } from './values.js';

/**
 * A document as this store writes it, short of what only the library knows (numbers of units and items). Made by
 * whoever prepares documents, in other processes where there are some: the one process that commits has a third of the
 * work, and chunks and words travel to it as a few arrays.
 */
export interface PackedDocument {
  readonly text: Uint8Array;
  readonly structure: Uint8Array;
  /** A row for each chunk, as `chunkFields` gives it. */
  readonly rows: readonly (readonly Value[])[];
  /** Every term of the document and of its chunks, once. */
  readonly terms: readonly string[];
  /** The document first, then its chunks. */
  readonly units: readonly PackedUnit[];
}

export interface PackedUnit {
  readonly type: number;
  readonly body_length: number;
  readonly title_length: number;
  readonly norm: number;
  readonly checksum: number;
  /** Which term, how often in the body, how often in the title; and so on. */
  readonly words: Uint32Array;
}

/** Refuses what breaks the model, before anything of it is written. */
export function packDocument(write: DocumentWrite): PackedWrite {
  validateDocument(write);
  return packed(write);
}

/** Of a document that has been validated. */
export function packed(write: DocumentWrite): PackedWrite & { readonly packed: PackedDocument } {
  const { document, sections, content, chunks, words } = write;
  const places = new Map<string, number>();
  const units = [
    packUnit(DOCUMENT, words, places),
    ...chunks.map((chunk) => packUnit(chunkType(chunk.chunk.content_type), chunk.words, places)),
  ];
  const rows = chunks.map((chunk) => chunkFields(chunk, document.title));
  return {
    document,
    size: content.text.length,
    packed: { ...packContent(content, sections, document.id), rows, terms: [...places.keys()], units },
  };
}

function packUnit(type: number, unit: UnitWords, places: Map<string, number>): PackedUnit {
  const { terms, body, title, body_length, title_length } = unit;
  const words = new Uint32Array(terms.length * 3);
  for (let i = 0; i < terms.length; i++) {
    let place = places.get(terms[i]!);
    if (place === undefined) {
      place = places.size;
      places.set(terms[i]!, place);
    }
    words[i * 3] = place;
    words[i * 3 + 1] = body[i]!;
    words[i * 3 + 2] = title[i]!;
  }
  return { type, body_length, title_length, norm: unitNorm(unit), checksum: wordsChecksum(unit), words };
}
