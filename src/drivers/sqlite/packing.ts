import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Block, Section } from '../../model/section.js';
import type { DocumentContent } from '../../store/backend.js';
import { seal, unseal } from '../../store/bytes.js';

/** Level 3 packs text nearly as small as 6 in a third of the time. */
/** Sealed with the document's id: a text is never taken for another's. */
const packText = (text: string | Uint8Array, id: string): Uint8Array =>
  seal(deflateRawSync(text, { level: 3 }), crc32(id));
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
  sections: readonly Section[],
  id: string,
): { text: Uint8Array; structure: Uint8Array } {
  const { text, blocks, pages, excluded } = content;
  const packBlock = (block: Block): PackedBlock => {
    const at = block.loc.offset;
    const inText = at !== undefined && text.startsWith(block.text, at);
    return { ...block, text: inText ? { at, length: block.text.length } : block.text };
  };
  // As `JSON.stringify` of a Structure would write it, but a record at a time: all of them are as large as the text.
  const writer = new JsonWriter();
  writer.list('{"blocks":[', blocks, '],');
  writer.list('"pages":[', pages, '],');
  writer.list('"excluded":[', excluded, '],');
  writer.list('"sections":[', sections, ']}', (section) => ({
    ...section,
    blocks: section.blocks.map(packBlock),
  }));
  return { text: packText(text, id), structure: packText(writer.bytes(), id) };
}

class JsonWriter {
  #bytes = Buffer.allocUnsafe(4096);
  #length = 0;

  list<T>(open: string, items: readonly T[], close: string, packed = (item: T): unknown => item): void {
    this.#write(open);
    for (const [at, item] of items.entries()) this.#write((at > 0 ? ',' : '') + JSON.stringify(packed(item)));
    this.#write(close);
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #write(text: string): void {
    const most = this.#length + text.length * 3;
    if (most > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(most, Math.ceil(this.#bytes.length * 1.5)));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#length += this.#bytes.write(text, this.#length);
  }
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
