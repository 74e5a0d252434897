import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Section } from '../../../model/section.js';
import type { UnitWords } from '../../../model/words.js';
import type { ChunkWrite, DocumentWrite, PackedWrite, StreamedWrite } from '../../../store/backend.js';
import { ByteWriter } from '../../../store/bytes.js';
import { unitNorm } from '../../../store/index/scoring.js';
import { packContent } from '../../../store/packing.js';
import { RecordCheck, validateWords } from '../../../store/validate.js';
import { wordsChecksum } from '../../../store/words/check-words.js';
import { chunkType, DOCUMENT } from '../../../store/words/unit-page.js';
import type { Value } from '../values.js';
import { chunkFields } from './rows.js';

/**
 * A document as this store writes it, short of what only the library knows (numbers of units and items). Made by
 * whoever prepares documents, in other processes where there are some: the one process that commits has a third of the
 * work. Chunks come some at a time, so that neither process has those of a large document in all their forms at once.
 */
export interface PackedDocument {
  readonly text: Uint8Array;
  readonly structure: Uint8Array;
  /** The document's own words, as a part without rows. */
  readonly own: PackedPart;
  /** Its chunks, in order; as bytes where they come from another process. */
  readonly parts: readonly (PackedPart | Uint8Array)[];
}

export interface PackedPart {
  /** Terms it is the first to have, or the first after `restart`; each is known by its number from then on. */
  readonly terms: readonly string[];
  /** The numbers begin anew: nobody keeps all the words of a large document to tell which are new. */
  readonly restart: boolean;
  /** A row for each chunk, as `chunkFields` gives it. */
  readonly rows: readonly (readonly Value[])[];
  /** NUMBERS of them a unit. */
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

/**
 * Refuses what breaks the model, before anything of it is written. Asks for each chunk's words once. All parts but the
 * last are given to `ahead` as they are ready, deflated, and it is waited for: whoever takes the rest to the store puts
 * them in `PackedWrite.ahead`.
 */
export async function packDocument(
  write: StreamedWrite,
  ahead?: (part: Uint8Array) => Promise<void>,
): Promise<PackedWrite> {
  const parts: Uint8Array[] = [];
  const steps = packAll(write, new RecordCheck(write.document, write.content.text));
  for (;;) {
    const { done, value } = steps.next();
    if (done) return packedWrite(write, value, parts);
    const bytes = serialize(value.part);
    if (ahead === undefined || value.isLast) parts.push(bytes);
    else await ahead(deflateRawSync(bytes, { level: 1 }));
  }
}

/** Of a document that has been validated, for the process it is in. */
export function packed(write: DocumentWrite): PackedWrite {
  const parts: PackedPart[] = [];
  const steps = packAll(write);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return packedWrite(write, value, parts);
    parts.push(value.part);
  }
}

type Rest = Omit<PackedDocument, 'parts'>;

function packedWrite(
  { document, content }: StreamedWrite,
  rest: Rest,
  parts: PackedDocument['parts'],
): PackedWrite {
  const packed: PackedDocument = { ...rest, parts };
  return { document, size: content.text.length, packed };
}

/** Its parts one after the other, then all but them. Records are asked for once, and looked at as they come. */
function* packAll(
  { document, sections, content, chunks, words }: StreamedWrite,
  check?: RecordCheck,
): Generator<{ readonly part: PackedPart; readonly isLast: boolean }, Rest, undefined> {
  const packer = new PartPacker((words) => check && validateWords(document.id, words));
  packer.unit(DOCUMENT, words);
  const own = packer.take();
  let size = 0;
  let left = document.chunk_count;
  for (const write of chunks) {
    const { chunk } = write;
    check?.chunk(chunk);
    packer.chunk(write, document.title);
    size += chunk.content.length;
    left--;
    if (size < PART && left > 0) continue;
    yield { part: packer.take(), isLast: left === 0 };
    size = 0;
  }
  const texts = packContent(content, check ? checked(sections, check) : sections, document.id);
  check?.finish();
  return { ...texts, own };
}

function* checked(sections: Iterable<Section>, check: RecordCheck): Generator<Section, void, undefined> {
  for (const section of sections) {
    check.section(section);
    yield section;
  }
}

class PartPacker {
  readonly #check: (words: UnitWords) => void;
  readonly #places = new Map<string, number>();
  readonly #words = new ByteWriter();
  #rows: Value[][] = [];
  #numbers: number[] = [];
  #terms: string[] = [];
  #restart = false;

  constructor(check: (words: UnitWords) => void) {
    this.#check = check;
  }

  chunk(write: ChunkWrite, docTitle: string): void {
    this.#rows.push(chunkFields(write, docTitle));
    this.unit(chunkType(write.chunk.content_type), write.words);
  }

  unit(type: number, unit: UnitWords): void {
    this.#check(unit);
    const { terms, body, title, body_length, title_length } = unit;
    for (let i = 0; i < terms.length; i++) {
      let place = this.#places.get(terms[i]!);
      if (place === undefined) {
        place = this.#places.size;
        this.#places.set(terms[i]!, place);
        this.#terms.push(terms[i]!);
      }
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
    this.#rows = [];
    this.#numbers = [];
    this.#terms = [];
    this.#restart = this.#places.size > MOST_TERMS;
    if (this.#restart) this.#places.clear();
    return part;
  }
}

export const unpackPart = (part: PackedPart | Uint8Array): PackedPart =>
  part instanceof Uint8Array ? (deserialize(part) as PackedPart) : part;

/** What was sent ahead waits for the rest, all of it, and is a quarter as large in this form. */
export const unpackAhead = (part: Uint8Array): PackedPart => deserialize(inflateRawSync(part)) as PackedPart;

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
