import type { UnitWords } from '../../model/words.js';
import type { DocumentWrite, PackedWrite } from '../../store/backend.js';
import { ByteWriter } from '../../store/bytes.js';
import { unitNorm } from '../../store/scoring.js';
import { validateRecords, validateWords } from '../../store/validate.js';
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
  /** Which term, how often in the body, how often in the title; and so on, as varints. */
  readonly words: Uint8Array;
}

/** Refuses what breaks the model, before anything of it is written. Asks for each chunk's words once. */
export function packDocument(write: DocumentWrite): PackedWrite {
  validateRecords(write);
  return packed(write, (words) => validateWords(write.document.id, words));
}

/** Of a document that has been validated. */
export function packed(write: DocumentWrite, check = (_: UnitWords): void => {}): PackedWrite {
  const { document, sections, content, chunks } = write;
  const places = new Map<string, number>();
  const unitOf = (type: number, words: UnitWords): PackedUnit => {
    check(words);
    return packUnit(type, words, places);
  };
  const units = [
    unitOf(DOCUMENT, write.words),
    ...chunks.map((chunk) => unitOf(chunkType(chunk.chunk.content_type), chunk.words)),
  ];
  const rows = chunks.map((chunk) => chunkFields(chunk, document.title));
  const texts = packContent(content, sections, document.id);
  const packed: PackedDocument = { ...texts, rows, terms: [...places.keys()], units };
  return { document, size: content.text.length, packed };
}

function packUnit(type: number, unit: UnitWords, places: Map<string, number>): PackedUnit {
  const { terms, body, title, body_length, title_length } = unit;
  scratch.clear();
  for (let i = 0; i < terms.length; i++) {
    let place = places.get(terms[i]!);
    if (place === undefined) {
      place = places.size;
      places.set(terms[i]!, place);
    }
    scratch.varint(place);
    scratch.varint(body[i]!);
    scratch.varint(title[i]!);
  }
  const words = scratch.view().slice();
  return { type, body_length, title_length, norm: unitNorm(unit), checksum: wordsChecksum(unit), words };
}

const scratch = new ByteWriter();
