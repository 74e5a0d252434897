import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Block, Section } from '../../model/section.js';
import type { DocumentContent } from '../../store/backend.js';
import { seal, unseal } from '../../store/bytes.js';

/** Level 3 packs text nearly as small as 6 in a third of the time. */
const packText = (text: string): Uint8Array => seal(deflateRawSync(text, { level: 3 }));
const unpackText = (data: unknown, what: string): string => inflateRawSync(unseal(data, what)).toString();

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
): { text: Uint8Array; structure: Uint8Array } {
  const { text, blocks, pages, excluded } = content;
  const packBlock = (block: Block): PackedBlock => {
    const at = block.loc.offset;
    const inText = at !== undefined && text.startsWith(block.text, at);
    return { ...block, text: inText ? { at, length: block.text.length } : block.text };
  };
  const structure: Structure = {
    blocks,
    pages,
    excluded,
    sections: sections.map((section) => ({ ...section, blocks: section.blocks.map(packBlock) })),
  };
  return { text: packText(text), structure: packText(JSON.stringify(structure)) };
}

export function unpackContent(text: unknown, structure: unknown, what: string): DocumentContent {
  const { blocks, pages, excluded } = JSON.parse(unpackText(structure, `structure of ${what}`)) as Structure;
  return { text: unpackText(text, `text of ${what}`), blocks, pages, excluded };
}

export function unpackSections(text: unknown, structure: unknown, what: string): readonly Section[] {
  const { sections } = JSON.parse(unpackText(structure, `structure of ${what}`)) as Structure;
  const whole = unpackText(text, `text of ${what}`);
  return sections.map((section) => ({
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
