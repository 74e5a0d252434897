import { deserialize, serialize } from 'node:v8';
import type { Section } from '../../../model/section.js';
import type { UnitWords } from '../../../model/words.js';
import type { ChunkWrite, DocumentWrite, PackedWrite } from '../../../store/backend.js';
import { ByteWriter } from '../../../store/bytes.js';
import type { Pack } from '../../../store/driver.js';
import { unitNorm } from '../../../store/index/scoring.js';
import { packContent } from '../../../store/packing.js';
import { packedElsewhere, packedHere } from '../../../store/records.js';
import { RecordCheck, refuseTwice, validateCounts } from '../../../store/validate.js';
import { wordsChecksum } from '../../../store/words/check-words.js';
import { chunkType, DOCUMENT } from '../../../store/words/unit-page.js';
import type { Value } from '../values.js';
import { chunkFields } from './rows.js';

/**
 * A document as this store writes it, short of what only the library knows (numbers of units and items). Made by
 * whoever prepares documents, in other processes where there are some: the one process that commits has a third of the
 * work. Chunks come in parts, so that neither process has those of a large document in all their forms at once.
 */
export interface PackedDocument {
  readonly text: Uint8Array;
  readonly structure: Uint8Array;
  /** The document's own words, as a part without rows. */
  readonly own: PackedPart;
}

export interface PackedPart {
  /** Terms it is the first to have, or the first after `restart`; each is known by its number from then on. */
  readonly terms: readonly string[];
  /** The numbers begin anew: nobody keeps all the words of a large document to tell which are new. */
  readonly restart: boolean;
  /** A row for each chunk, as `chunkFields` gives it. */
  readonly rows: readonly (readonly Value[])[];
  /** NUMBERS of them per unit. */
  readonly numbers: Float64Array;
  /** Which term, how often in the body, how often in the title; and so on, as varints. */
  readonly words: Uint8Array;
}

/** What a unit's words are without themselves: they end at `end` in the part's. */
export interface PackedUnit {
  readonly type: number;
  readonly body_length: number;
  readonly title_length: number;
  readonly norm: number;
  readonly checksum: number;
  readonly end: number;
}

const NUMBERS = 6;
/** How many terms have numbers at the same time: words that come often come again soon. */
const MOST_TERMS = 25_000;

/** In characters of content: a part is small beside a document that is worth parting. */
const PART = 256 * 1024;

const FORM = 'sqlite';

/** Refuses what breaks the model, before anything of it is written. */
export const packDocument: Pack = async ({ document, sections, content, chunks, words }, send) => {
  const check = new RecordCheck(document, content.text);
  const packer = new PartPacker(document.id);
  packer.unit(DOCUMENT, words);
  const own = packer.take();
  let size = 0;
  const sendPart = async (): Promise<void> => {
    const part = serialize(packer.take());
    size += part.byteLength;
    await send(part);
  };
  for (const write of chunks) {
    check.chunk(write.chunk);
    packer.chunk(write, document.title);
    if (packer.characters >= PART) await sendPart();
  }
  if (packer.characters > 0) await sendPart();
  const texts = packContent(content, checked(sections, check), document.id);
  check.finish();
  const packed: PackedDocument = { ...texts, own };
  size += texts.text.byteLength + texts.structure.byteLength;
  return { document, form: FORM, size, packed };
};

/** Documents that come as records are packed here, before the store is locked for writing. */
export async function asPacked(write: DocumentWrite | PackedWrite): Promise<PackedWrite> {
  if (!('packed' in write)) return packedHere(write, packDocument);
  if (write.form !== FORM) throw packedElsewhere(write);
  return write;
}

function* checked(sections: Iterable<Section>, check: RecordCheck): Generator<Section, void, undefined> {
  for (const section of sections) {
    check.section(section);
    yield section;
  }
}

class PartPacker {
  readonly #docId: string;
  readonly #places = new Map<string, number>();
  readonly #words = new ByteWriter();
  /** For each place the last unit that had its term: a unit that has one twice is refused. */
  readonly #lastUnits: number[] = [];
  #units = 0;
  #rows: Value[][] = [];
  #numbers: number[] = [];
  #terms: string[] = [];
  #restart = false;
  /** Of the chunks that have come since the last part. */
  characters = 0;

  constructor(docId: string) {
    this.#docId = docId;
  }

  chunk(write: ChunkWrite, docTitle: string): void {
    this.#rows.push(chunkFields(write, docTitle));
    this.unit(chunkType(write.chunk.content_types), write.words);
    this.characters += write.chunk.content.length;
  }

  unit(type: number, unit: UnitWords): void {
    validateCounts(this.#docId, unit);
    const { terms, body, title, body_length, title_length } = unit;
    this.#units++;
    for (let i = 0; i < terms.length; i++) {
      let place = this.#places.get(terms[i]!);
      if (place === undefined) {
        place = this.#places.size;
        this.#places.set(terms[i]!, place);
        this.#terms.push(terms[i]!);
      }
      if (this.#lastUnits[place] === this.#units) refuseTwice(this.#docId);
      this.#lastUnits[place] = this.#units;
      this.#words.varint(place);
      this.#words.varint(body[i]!);
      this.#words.varint(title[i]!);
    }
    const end = this.#words.length;
    this.#numbers.push(type, body_length, title_length, unitNorm(unit), wordsChecksum(unit), end);
  }

  /** What has come since the last time. */
  take(): PackedPart {
    const words = this.#words.view().slice();
    const numbers = Float64Array.from(this.#numbers);
    const part = { terms: this.#terms, restart: this.#restart, rows: this.#rows, numbers, words };
    this.#words.clear();
    this.characters = 0;
    this.#rows = [];
    this.#numbers = [];
    this.#terms = [];
    this.#restart = this.#places.size > MOST_TERMS;
    if (!this.#restart) return part;
    this.#places.clear();
    this.#lastUnits.length = 0;
    return part;
  }
}

export const unpackPart = (part: Uint8Array): PackedPart => deserialize(part) as PackedPart;

export function unitOf({ numbers }: PackedPart, index: number): PackedUnit {
  const at = index * NUMBERS;
  return {
    type: numbers[at]!,
    body_length: numbers[at + 1]!,
    title_length: numbers[at + 2]!,
    norm: numbers[at + 3]!,
    checksum: numbers[at + 4]!,
    end: numbers[at + 5]!,
  };
}
