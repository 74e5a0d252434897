import { chunkSettings } from '../chunk/settings.js';
import type { Embedder } from '../embed/embedder.js';
import { embedPending } from '../engine/embedding/embed-behind.js';
import { structureOrText } from '../ingest/prepare/parse-fallback.js';
import { prepare } from '../ingest/prepare/prepare.js';
import { derivedId } from '../model/id.js';
import { DEFAULT_LIMITS } from '../parse/parser.js';
import type { Backend } from '../store/backend.js';
import { memoryBackend } from '../store/memory/memory.js';

export interface SmallDocument {
  readonly name: string;
  readonly text: string;
  readonly updated_at?: string;
  readonly tags?: readonly string[];
}

/** A library in memory, filled through the ordinary pipeline: parsed, cut, its words counted. */
export async function smallLibrary(
  documents: readonly SmallDocument[],
  options: { readonly strategy?: string; readonly max?: number; readonly min?: number } = {},
): Promise<Backend> {
  const backend = memoryBackend();
  for (const document of documents) {
    const bytes = new TextEncoder().encode(document.text);
    const tree = await structureOrText({ bytes, name: document.name, limits: DEFAULT_LIMITS });
    const { write } = prepare(tree, {
      doc_id: idOf(document.name),
      source: `file:${document.name}`,
      source_path: document.name,
      name: document.name,
      settings: chunkSettings(options),
      updated_at: document.updated_at ?? '2026-01-01T00:00:00.000Z',
      metadata: { ...(document.tags && { added_tags: [...document.tags] }) },
    });
    await backend.commit({ put: [write] });
  }
  return backend;
}

export const idOf = (name: string): string => derivedId('small', name);

/** Words that mean the same share a direction: enough of an embedder to tell meaning from wording. */
const MEANINGS = [
  ['car', 'automobile', 'vehicle', '汽车', '轿车'],
  ['doctor', 'physician', '医生', '大夫'],
  ['fast', 'quick', 'speed', '快', '速度'],
  ['cook', 'kitchen', 'recipe', '烹饪', '厨房'],
  ['rain', 'weather', 'storm', '天气', '下雨'],
  ['tax', 'finance', 'money', '税', '财务'],
];

export const meaningEmbedder: Embedder = {
  id: 'test:meanings',
  dimensions: MEANINGS.length + 1,
  fingerprint: 'test:meanings:1',
  embed: async (texts) =>
    texts.map((text) => {
      const lower = text.toLowerCase();
      const counts = MEANINGS.map((words) =>
        words.reduce((sum, word) => sum + lower.split(word).length - 1, 0),
      );
      const length = Math.hypot(...counts, 0.1);
      return Float32Array.from([...counts, 0.1], (value) => value / length);
    }),
  close: async () => {},
};

/** Vectors for everything in it. */
export const embedAll = (backend: Backend, embedder: Embedder = meaningEmbedder) =>
  embedPending(backend, embedder);
