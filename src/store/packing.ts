import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Block, Section } from '../model/section.js';
import type { DocumentContent } from './backend.js';
import { seal, unseal } from './bytes.js';

/** Level 3 packs text nearly as small as 6 in a third of the time. */
const LEVEL = 3;
/** In characters: what is longer is packed in pieces of this length. A piece knows nothing of those before it. */
const PIECE = 256 * 1024;

/**
 * Text that is packed as it comes: neither all of it nor its bytes are there at once. The pieces make one stream, each
 * but the last ended where the next one can follow. Sealed with the document's id: a text is never taken for another's.
 */
class TextPacker {
  readonly #packed: Uint8Array[] = [];
  #waiting: string[] = [];
  #length = 0;

  write(text: string): void {
    this.#waiting.push(text);
    this.#length += text.length;
    if (this.#length >= PIECE) this.#pack(constants.Z_SYNC_FLUSH);
  }

  finish(id: string): Uint8Array {
    this.#pack(constants.Z_FINISH);
    return seal(Buffer.concat(this.#packed), crc32(id));
  }

  #pack(finishFlush: number): void {
    this.#packed.push(deflateRawSync(this.#waiting.join(''), { level: LEVEL, finishFlush }));
    this.#waiting = [];
    this.#length = 0;
  }
}

function packText(text: string, id: string): Uint8Array {
  const packer = new TextPacker();
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + PIECE);
    // A pair of surrogates is one character.
    if ((text.charCodeAt(to - 1) & 0xfc00) === 0xd800) to++;
    packer.write(text.slice(from, to));
    from = to;
  }
  return packer.finish(id);
}

const unpackText = (data: unknown, id: string, what: string): string =>
  inflateRawSync(unseal(data, crc32(id), `${what} of document ${id}`)).toString();

/** A block's text is nearly always a piece of the document's: then only its place is written. */
type PackedBlock = Omit<Block, 'text'> & {
  readonly text: string | { readonly at: number; readonly length: number };
};
type PackedSection = Omit<Section, 'blocks'> & { readonly blocks: readonly PackedBlock[] };

interface Structure extends Omit<DocumentContent, 'text'> {
  readonly sections: readonly PackedSection[];
}

export function packContent(
  content: DocumentContent,
  sections: Iterable<Section>,
  id: string,
): { text: Uint8Array; structure: Uint8Array } {
  const { text, blocks, pages, excluded } = content;
  const packBlock = (block: Block): PackedBlock => {
    const at = block.loc.offset;
    const inText = at !== undefined && text.startsWith(block.text, at);
    return { ...block, text: inText ? { at, length: block.text.length } : block.text };
  };
  // As `JSON.stringify` of a Structure would write it, but a record at a time: all of them are as large as the text.
  const structure = new TextPacker();
  writeList(structure, '{"blocks":[', blocks, '],');
  writeList(structure, '"pages":[', pages, '],');
  writeList(structure, '"excluded":[', excluded, '],');
  writeList(structure, '"sections":[', sections, ']}', (section) => ({
    ...section,
    blocks: section.blocks.map(packBlock),
  }));
  return { text: packText(text, id), structure: structure.finish(id) };
}

function writeList<T>(
  packer: TextPacker,
  open: string,
  items: Iterable<T>,
  close: string,
  packed = (item: T): unknown => item,
): void {
  packer.write(open);
  let isFirst = true;
  for (const item of items) {
    packer.write((isFirst ? '' : ',') + JSON.stringify(packed(item)));
    isFirst = false;
  }
  packer.write(close);
}

export interface PackedContent {
  readonly text: unknown;
  readonly structure: unknown;
}

export function unpackContent({ text, structure }: PackedContent, id: string): DocumentContent {
  const { blocks, pages, excluded } = structureOf(structure, id);
  return { text: unpackText(text, id, 'text'), blocks, pages, excluded };
}

export function unpackSections({ text, structure }: PackedContent, id: string): readonly Section[] {
  const whole = unpackText(text, id, 'text');
  return structureOf(structure, id).sections.map((section) => ({
    ...section,
    blocks: section.blocks.map((block) => ({
      ...block,
      text:
        typeof block.text === 'string'
          ? block.text
          : whole.slice(block.text.at, block.text.at + block.text.length),
    })),
  }));
}

const structureOf = (structure: unknown, id: string): Structure =>
  JSON.parse(unpackText(structure, id, 'structure'));
