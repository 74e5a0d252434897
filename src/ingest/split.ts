import { chunkDocument } from '../chunk/chunk.js';
import type { Chunk } from '../model/chunk.js';
import { mintId } from '../model/id.js';
import { parseDocument } from '../parse/parse.js';
import { DEFAULT_LIMITS } from '../parse/parser.js';
import { type ChunkingOptions, settingsOf } from './chunking.js';

/** A text in memory, parsed and chunked with no library involved. */
export async function splitText(
  text: string,
  options: ChunkingOptions & { readonly format?: 'markdown' | 'text' } = {},
): Promise<readonly Chunk[]> {
  const { format = 'markdown', ...chunking } = options;
  const name = format === 'markdown' ? 'text.md' : 'text.txt';
  const tree = await parseDocument({ bytes: new TextEncoder().encode(text), name, limits: DEFAULT_LIMITS });
  return chunkDocument(tree, {
    doc_id: mintId(),
    title: tree.title ?? '',
    source: '',
    settings: settingsOf(chunking),
  }).chunks;
}
