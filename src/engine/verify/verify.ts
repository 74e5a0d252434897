import { Places } from '../../chunk/places.js';
import type { Chunk } from '../../model/chunk.js';
import type { Citation } from '../../model/citation.js';
import type { Document } from '../../model/document.js';
import { StrataError } from '../../model/errors.js';
import { contentHash } from '../../model/hash.js';
import { chunkId } from '../../model/id.js';
import { cleanLabel } from '../../model/indexed.js';
import { trueLoc } from '../../model/line-marks.js';
import type { Span } from '../../model/tree.js';
import { citation, type Ref } from '../../search/show/cite.js';
import type { Backend } from '../../store/backend.js';
import { resolveCited } from './cited.js';
import { type Current, currentText, titlePathAt } from './current.js';
import { copyElsewhere } from './elsewhere.js';
import { type CitedPassage, findPassage, hashBudget, isPassage, sentenceStarts } from './passage.js';
import {
  type Alike,
  type Known,
  knownOutside,
  LEAST_ALIKE,
  mostAlike,
  rewritten,
} from './similar-passage.js';
import type { SourcePlace } from './stale.js';
import type { VerifyStatus } from './verify-status.js';

/** Does the source still say what was cited? */
export interface Verification {
  readonly status: VerifyStatus;
  /** Asked of the source as it is now, or of the library's copy where the source cannot be asked. */
  readonly checked: 'source' | 'store';
  /** What was cited. */
  readonly cited: { readonly doc_id: string; readonly source_path: string | null; readonly content?: string };
  /** Where it stands now; for `changed`, the passage most like it. */
  readonly place?: VerifiedPlace;
  /** For `changed`: how much of it is left, 0 to 1; absent where the old text is not known. */
  readonly similarity?: number;
  /** One line for a person. */
  readonly message: string;
}

export interface VerifiedPlace {
  readonly content: string;
  /** A new citation of it. */
  readonly citation: Citation;
}

export interface VerifyParts extends SourcePlace {
  readonly backend: Backend;
  /** See `LibraryOptions`. */
  readonly guarded: boolean;
}

/** Relative paths in `file:line` start at `cwd`. */
export async function verifyCitation(
  parts: VerifyParts,
  cited: string | Citation,
  cwd?: string,
): Promise<Verification> {
  const ref = await resolveCited(parts, cited, cwd);
  const document = await parts.backend.document(ref.doc_id);
  const chunk = await citedChunk(parts.backend, ref);
  const passage = passageOf(ref, chunk);
  const check = new Check(parts, document, chunk, passage);
  if (document === null) return check.withoutDocument();
  return check.against(document, await currentText(parts, document), ref.heading);
}

/** The cited chunk, if the library still has it as it was. */
async function citedChunk(backend: Backend, { chunk_id, hash_prefix }: Ref): Promise<Chunk | null> {
  const chunk = await backend.chunk(chunk_id);
  return chunk?.hash.startsWith(hash_prefix) ? chunk : null;
}

function passageOf(ref: Ref, chunk: Chunk | null): CitedPassage {
  return {
    hash_prefix: ref.hash_prefix,
    start: ref.start_position,
    length: ref.end_position - ref.start_position,
    ...(chunk !== null && { text: chunk.content }),
    ...(ref.sketch !== undefined && { sketch: ref.sketch }),
  };
}

/**
 * So much of it left in its place, a passage has not moved to another document. Sketches are less sure than words: 0.92
 * is 8 bits of 64, which unrelated passages never came near.
 */
const SURELY_CHANGED = { words: 0.5, sketch: 0.92 };

class Check {
  readonly #parts: VerifyParts;
  readonly #document: Document | null;
  readonly #chunk: Chunk | null;
  readonly #passage: CitedPassage;
  readonly #budget = hashBudget();

  constructor(parts: VerifyParts, document: Document | null, chunk: Chunk | null, passage: CitedPassage) {
    this.#parts = parts;
    this.#document = document;
    this.#chunk = chunk;
    this.#passage = passage;
  }

  async against(document: Document, current: Current, heading: string | null): Promise<Verification> {
    const { text, from } = current;
    const shown = document.source_path;
    if (text !== null) {
      const { start, length } = this.#passage;
      if (isPassage(text.slice(start, start + length), this.#passage)) {
        return this.#say('unchanged', from, `${shown} still says so`, document, current, {
          start,
          end: start + length,
        });
      }
      const starts = await this.#starts(document, current);
      const here = await findPassage(text, this.#passage, this.#budget, starts);
      if (here !== null) return this.#say('moved', from, `moved within ${shown}`, document, current, here);
    }
    const alike = text === null ? null : await this.#become(document, current, text);
    const sure = SURELY_CHANGED[this.#passage.text === undefined ? 'sketch' : 'words'];
    if (alike !== null && alike.similarity >= sure) return this.#changed(document, current, alike);
    const copy = await copyElsewhere(this.#parts, document.id, this.#passage, this.#budget);
    // A copy that was there all along is no move while something of the passage is left in its place.
    if (copy !== null && (copy.isNew || alike === null)) {
      const message = `moved to ${copy.document.source_path}`;
      return this.#say('moved', copy.current.from, message, copy.document, copy.current, copy.span);
    }
    if (alike !== null) return this.#changed(document, current, alike);
    const section = text === null ? null : this.#sameHeading(current, heading);
    if (section !== null) return this.#changed(document, current, section);
    const why = text === null ? `${shown} no longer exists` : `${shown} no longer holds this passage`;
    return this.#say('gone', from, why, document, current, null);
  }

  /** The document is no longer in the library: another one may hold the passage. */
  async withoutDocument(): Promise<Verification> {
    const copy = await copyElsewhere(this.#parts, null, this.#passage, this.#budget);
    if (copy === null) {
      const message = 'the cited document is no longer in the library, and no other one holds this passage';
      return { status: 'gone', checked: 'store', cited: this.#cited(), message };
    }
    const message = `the cited document is no longer in the library; ${copy.document.source_path} holds the passage`;
    return this.#say('moved', copy.current.from, message, copy.document, copy.current, copy.span);
  }

  /** What the passage has become in its own document: the most similar text that was not there before. */
  async #become(document: Document, current: Current, text: string): Promise<Alike | null> {
    const known: Known = current.changed ? await this.#before(document) : new Set();
    const alike = mostAlike(text, this.#passage, known);
    if (alike !== null && alike.similarity >= LEAST_ALIKE) return alike;
    return this.#rewritten(current, text, known);
  }

  /** Its section is still there, with other words in it that were not there before. */
  #rewritten({ sections }: Current, text: string, known: Known): Alike | null {
    const cited = this.#chunk;
    const path = cited?.title_path.join('\n') ?? '';
    const index = path === '' ? -1 : sections.findIndex(({ title_path }) => title_path.join('\n') === path);
    if (cited === null || index < 0) return null;
    const { start, end } = sections[index]!;
    // Its own text: behind the heading's line, before the next section's.
    const own = {
      start: text.indexOf('\n', start) + 1 || end,
      end: Math.min(end, sections[index + 1]?.start ?? end),
    };
    return rewritten(text, own, cited.content, known);
  }

  /** What the document held besides the passage when the library last looked. */
  async #before(document: Document): Promise<Known> {
    const cited = this.#chunk;
    const content = cited === null ? null : await this.#parts.backend.content(document.id);
    if (cited === null || content === null) return new Set();
    return knownOutside(content.text, { start: cited.start_position, end: cited.end_position });
  }

  /** Without the old text: its section is still there, so that is the place that says something else. */
  #sameHeading({ text, sections }: Current, heading: string | null): Alike | null {
    if (this.#passage.text !== undefined || this.#passage.sketch !== undefined || heading === null)
      return null;
    const section = sections.find(({ title_path }) => cleanLabel(title_path.at(-1) ?? '') === heading);
    if (section === undefined || text === null) return null;
    const { start, end } = section;
    return { start, end, similarity: Number.NaN };
  }

  /** Chunks and sentences begin where a passage may: more starting points than lines alone. */
  async #starts(document: Document, current: Current): Promise<number[]> {
    if (this.#passage.text !== undefined) return [];
    const chunks = current.changed ? [] : await this.#parts.backend.chunksOf(document.id);
    return [...chunks.map(({ start_position }) => start_position), ...sentenceStarts(current.text ?? '')];
  }

  #changed(document: Document, current: Current, { start, end, similarity }: Alike): Verification {
    const known = Number.isNaN(similarity) ? {} : { similarity: Math.round(similarity * 100) / 100 };
    const percent = Number.isNaN(similarity) ? '' : `, ${Math.round(similarity * 100)} % alike`;
    const message = `${document.source_path} says something else now${percent}`;
    return { ...this.#say('changed', current.from, message, document, current, { start, end }), ...known };
  }

  #say(
    status: VerifyStatus,
    checked: 'source' | 'store',
    message: string,
    document: Document,
    current: Current,
    span: Span | null,
  ): Verification {
    const place = span === null ? null : placeOf(document, current, span, this.#chunk);
    const where = place === null ? '' : `: ${placeWords(place.citation.ref, message)}`;
    const reason = current.reason === undefined ? '' : ` (asked of the library's copy: ${current.reason})`;
    return {
      status,
      checked,
      cited: this.#cited(),
      ...(place !== null && { place }),
      message: `${message}${where}${reason}`,
    };
  }

  #cited(): Verification['cited'] {
    const { text } = this.#passage;
    return {
      doc_id: this.#document?.id ?? '',
      source_path: this.#document?.source_path ?? null,
      ...(text !== undefined && { content: text }),
    };
  }
}

/** Where it stands, as people read it: without the path that the message has named already. */
function placeWords(ref: string, message: string): string {
  const words = ref.split(' [strata:', 1)[0]!;
  const [path = '', ...titles] = words.split(' › ');
  return titles.length > 0 && message.includes(path) ? titles.join(' › ') : words;
}

/** Those that it was cited under, where such a section is still there: a passage may begin with the headings above its own. */
function titlesFor(
  sections: Current['sections'],
  { start, end }: Span,
  cited: Chunk | null,
): readonly string[] {
  const path = cited?.title_path.join('\n');
  const own = sections.find(
    (one) => one.start < end && one.end > start && one.title_path.join('\n') === path,
  );
  return own?.title_path ?? titlePathAt(sections, start);
}

/** A stretch of the current text as a passage that can be cited itself. */
function placeOf(
  document: Document,
  { text, sections, places, changed }: Current,
  { start, end }: Span,
  cited: Chunk | null,
): VerifiedPlace {
  if (text === null) throw new StrataError('INTERNAL', 'a place in no text');
  const content = text.slice(start, end);
  const hash = contentHash(content);
  const isCited = !changed && cited?.doc_id === document.id && cited.start_position === start;
  return {
    content,
    citation: citation(document, {
      id: chunkId(document.id, hash),
      doc_id: document.id,
      title_path: titlesFor(sections, { start, end }, cited),
      loc: isCited
        ? trueLoc(cited, document.metadata.format)
        : new Places({ ...places, text }).loc(start, end),
      start_position: start,
      end_position: end,
      hash,
      content,
    }),
  };
}
