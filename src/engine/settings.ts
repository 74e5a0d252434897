import { type ChunkSettings, chunkSettings } from '../chunk/settings.js';
import { sha256 } from '../model/hash.js';
import type { Json, JsonObject } from '../model/json.js';
import type { Backend } from '../store/backend.js';
import type { ChunkingOptions } from './library.js';

/** What a library remembers: how to cut, and by which model to embed. Kept as one record. */
const KIND = 'settings';
const ID = 'library';

export interface KeptSettings {
  readonly chunking: ChunkingOptions;
  readonly embedder?: string;
}

export async function keptSettings(backend: Backend): Promise<KeptSettings> {
  const value = await backend.record(KIND, ID);
  const kept = isObject(value) ? value : {};
  const { strategy, max, min, overlap, embedder } = kept;
  return {
    chunking: {
      ...(typeof strategy === 'string' && { strategy }),
      ...(typeof max === 'number' && { max }),
      ...(typeof min === 'number' && { min }),
      ...(typeof overlap === 'number' && { overlap }),
    },
    ...(typeof embedder === 'string' && { embedder }),
  };
}

export async function keepSettings(backend: Backend, settings: KeptSettings): Promise<void> {
  const { strategy, max, min, overlap } = settings.chunking;
  const value: JsonObject = {
    ...(strategy !== undefined && { strategy }),
    ...(max !== undefined && { max }),
    ...(min !== undefined && { min }),
    ...(overlap !== undefined && { overlap }),
    ...(settings.embedder !== undefined && { embedder: settings.embedder }),
  };
  await backend.commit({ records: [{ kind: KIND, id: ID, value }] });
}

/**
 * What is asked for now, over what is remembered; what is asked for is remembered from then on. Another strategy
 * brings its own sizes: those remembered were for the old one.
 */
export function mergedChunking(kept: ChunkingOptions, asked: ChunkingOptions): ChunkingOptions {
  const base = asked.strategy === undefined || asked.strategy === kept.strategy ? kept : {};
  const merged: Record<string, unknown> = { ...base };
  for (const key of ['strategy', 'max', 'min', 'overlap'] as const) {
    if (asked[key] !== undefined) merged[key] = asked[key];
  }
  return merged as ChunkingOptions;
}

export const differs = (a: ChunkingOptions, b: ChunkingOptions): boolean =>
  (['strategy', 'max', 'min', 'overlap'] as const).some((key) => a[key] !== b[key]);

export function settingsOf({ strategy, max, min, overlap }: ChunkingOptions): ChunkSettings {
  return chunkSettings({
    ...(strategy !== undefined && { strategy }),
    ...(max !== undefined && { max }),
    ...(min !== undefined && { min }),
    ...(overlap !== undefined && { overlap }),
  });
}

/** Two documents with the same key were cut the same way. */
export const chunkingKey = (settings: ChunkSettings): string =>
  sha256(JSON.stringify(settings, (_, value) => (value === Number.POSITIVE_INFINITY ? 'none' : value))).slice(
    0,
    16,
  );

const isObject = (value: Json | null): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
