import { crc32 } from 'node:zlib';
import type { Chunk } from '../../model/chunk.js';
import type { Document } from '../../model/document.js';
import { reasonOf } from '../../model/errors.js';
import type { UnitWords } from '../../model/words.js';
import type { Reindex } from '../backend.js';
import { BlockReader } from '../index/block.js';
import { decodePostings, PostingList } from '../index/postings.js';
import { unitNorm } from '../index/scoring.js';
import type { UnitKind } from '../lexical.js';
import { BLOCKS, openBlock, openDirectory, type Segment, type SegmentSource, termKey } from './segment.js';
import { chunkType, DEAD, DOCUMENT, idText, PAGE_UNITS, UnitPage, type UnitRecord } from './unit-page.js';
import type { PageRow } from './unit-table.js';
import type { WordsStore } from './words-change.js';

/** A document as it was read back, with the numbers and checksums of its units. */
export interface IndexedDocument {
  readonly document: Document;
  readonly item: number;
  readonly unit: number;
  readonly words: number;
  readonly chunks: readonly { readonly chunk: Chunk; readonly unit: number; readonly words: number }[];
}

/** All that a store keeps of its word index. `segments` may throw for damage. */
export interface KeptWords {
  readonly pages: Iterable<PageRow>;
  /** Units whose rows somebody deleted; the next commit takes them out of their pages. */
  readonly buried: ReadonlySet<number>;
  readonly segments: () => readonly Segment[];
  readonly source: SegmentSource;
}

/** What is wrong, and whose words it concerns, where that can be told. */
export interface WordsProblem {
  readonly message: string;
  readonly doc_id?: string;
}

/** Tells whether a unit's words are still those that are indexed. */
export function wordsChecksum({ terms, body, title, body_length, title_length }: UnitWords): number {
  let end = scratch.write(`${body_length},${title_length};`, 'latin1');
  end = writeCounts(body, end);
  end = writeCounts(title, end);
  return crc32(terms.join('\u0000'), crc32(scratch.subarray(0, end)));
}

/** Used again and again: making a text of every count took most of the time. */
let scratch = Buffer.alloc(2 ** 16);

/** The counts as text, with commas between them and a semicolon after them; gives the new end. */
function writeCounts(counts: readonly number[], from: number): number {
  const needed = from + counts.length * 11 + 64;
  if (needed > scratch.length) scratch = Buffer.concat([scratch], 2 * needed);
  let at = from;
  for (const count of counts) {
    if (at > from) scratch[at++] = 44;
    if (count < 10) scratch[at++] = 48 + count;
    else at += scratch.write(String(count), at, 'latin1');
  }
  scratch[at++] = 59;
  return at;
}

/** A unit as the records say it must be indexed. */
interface ExpectedUnit extends UnitRecord {
  readonly doc_id: string;
  /** Of its postings; null when they cannot be told. */
  readonly fingerprint: number | null;
}

/** Compares what is indexed with what the records say: filled document by document, then asked. */
export class WordsCheck {
  readonly #reindex: Reindex | undefined;
  readonly #expected = new Map<number, ExpectedUnit>();
  /** Units whose words other rules made: an older version's, as a rule. */
  outdated = 0;

  constructor(reindex: Reindex | undefined) {
    this.#reindex = reindex;
  }

  add({ document, item, unit, words, chunks }: IndexedDocument): void {
    const { id } = document;
    this.#expect('document', unit, words, { type: DOCUMENT, item, id, doc_id: id }, () =>
      this.#reindex?.document(document),
    );
    for (const { chunk, unit: own, words: ownWords } of chunks) {
      const record = { type: chunkType(chunk.content_types), item, id: chunk.id, doc_id: id };
      this.#expect('chunk', own, ownWords, record, () => this.#reindex?.chunk(chunk));
    }
  }

  #expect(
    kind: UnitKind,
    unit: number,
    checksum: number,
    record: Pick<ExpectedUnit, 'type' | 'item' | 'id' | 'doc_id'>,
    makeWords: () => UnitWords | undefined,
  ): void {
    const words = makeWords();
    const isCurrent = words !== undefined && wordsChecksum(words) === checksum;
    if (words !== undefined && !isCurrent) this.outdated++;
    this.#expected.set(unit, {
      ...record,
      body_length: isCurrent ? words.body_length : -1,
      title_length: isCurrent ? words.title_length : -1,
      norm: isCurrent ? unitNorm(words) : -1,
      fingerprint: isCurrent ? fingerprintOf(kind, words) : null,
    });
  }

  /** What is wrong, one line each; the documents concerned. */
  /** The same of a store that must be waited for: all of its index is read first. */
  async problemsIn(store: WordsStore, buried: ReadonlySet<number>): Promise<readonly WordsProblem[]> {
    const pages = await store.pagesBetween(0, Number.MAX_SAFE_INTEGER);
    const segments = await store.segments();
    const directories = new Map(segments.map(({ segment, directory }) => [segment, directory]));
    const rows = await store.blocks([...directories.keys()]);
    const blocks = new Map(rows.map(({ number, data }) => [number, data]));
    return this.problems({
      pages,
      buried,
      segments: () => segments,
      source: {
        directory: (segment) => openDirectory(directories.get(segment), segment),
        block: (segment, ordinal) => openBlock(blocks.get(segment * BLOCKS + ordinal), segment, ordinal),
      },
    });
  }

  problems(kept: KeptWords): WordsProblem[] {
    const problems: WordsProblem[] = [];
    const report = (message: string, doc_id?: string) =>
      void problems.push(doc_id === undefined ? { message } : { message, doc_id });
    this.#checkPages(kept, report);
    try {
      this.#checkPostings(kept, report);
    } catch (error) {
      report(reasonOf(error));
    }
    return problems;
  }

  #checkPages({ pages, buried }: KeptWords, report: Report): void {
    const missing = new Map(this.#expected);
    for (const [number, data] of pages) {
      if (data.length === 0) continue;
      try {
        const page = UnitPage.decode(data, number);
        for (let at = 0; at < PAGE_UNITS; at++) {
          const unit = number * PAGE_UNITS + at;
          if (page.types[at] === DEAD || buried.has(unit)) continue;
          const expected = this.#expected.get(unit);
          if (expected === undefined) report(`Unit ${unit} is indexed and has no record.`);
          else if (!agrees(page, at, expected))
            report(`Unit ${unit} is indexed as something else.`, expected.doc_id);
          missing.delete(unit);
        }
      } catch (error) {
        report(reasonOf(error));
      }
    }
    for (const [unit, { doc_id }] of missing) report(`Unit ${unit} is not indexed.`, doc_id);
  }

  #checkPostings({ segments, source }: KeptWords, report: Report): void {
    const found = new Map<number, number>();
    let before = -1;
    for (const segment of segments()) {
      if (segment.first_unit <= before) report(`Word segments overlap at unit ${segment.first_unit}.`);
      before = segment.last_unit;
      try {
        addSegment(segment, source, found);
      } catch (error) {
        report(reasonOf(error));
      }
    }
    for (const [unit, { fingerprint, doc_id }] of this.#expected) {
      if (fingerprint === null || fingerprint === (found.get(unit) ?? 0)) continue;
      report(`The words of unit ${unit} are not those of its text.`, doc_id);
    }
  }
}

type Report = (message: string, docId?: string) => void;

function addSegment(
  { segment, first_unit, last_unit }: Segment,
  source: SegmentSource,
  found: Map<number, number>,
): void {
  const list = new PostingList(1024);
  for (const [ordinal, first] of source.directory(segment).entries()) {
    const entries = new BlockReader(source.block(segment, ordinal));
    for (let at = 0; entries.next(); at++) {
      if (at === 0 && entries.text() !== first) throw new Error(`Segment ${segment} has a wrong directory.`);
      list.length = 0;
      decodePostings(list, entries.bytes, entries.start, entries.count, first_unit);
      const term = crc32(entries.term.subarray(0, entries.length));
      for (let i = 0; i < list.length; i++) {
        const unit = list.units[i]!;
        if (unit > last_unit) throw new Error(`Segment ${segment} holds a unit that is not its own.`);
        found.set(unit, ((found.get(unit) ?? 0) + mix(term, list.body[i]!, list.title[i]!)) >>> 0);
      }
    }
  }
}

function agrees(page: UnitPage, at: number, expected: ExpectedUnit): boolean {
  return (
    page.types[at] === expected.type &&
    page.items[at] === expected.item &&
    idText(page.ids, at * 16) === expected.id &&
    (expected.fingerprint === null ||
      (page.body[at] === expected.body_length &&
        page.title[at] === expected.title_length &&
        page.norms[at] === expected.norm))
  );
}

/** The sum over a unit's postings, in whatever order they come. */
function fingerprintOf(kind: UnitKind, { terms, body, title }: UnitWords): number {
  return terms.reduce(
    (sum, term, i) => (sum + mix(crc32(termKey(kind, term)), body[i]!, title[i]!)) >>> 0,
    0,
  );
}

/** Multipliers of a well-mixing integer hash (xxHash's primes). */
function mix(term: number, body: number, title: number): number {
  const joined = term ^ Math.imul(body, 0x9e3779b1) ^ Math.imul(title, 0x85ebca77);
  return Math.imul(joined ^ (joined >>> 15), 0xc2b2ae3d) >>> 0;
}
