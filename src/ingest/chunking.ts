import { type ChunkSettings, chunkSettings } from '../chunk/settings.js';
import { sha256 } from '../model/hash.js';

/** How a person asks for documents to be cut; what is left open is remembered by the library, or the default. */
export interface ChunkingOptions {
  readonly strategy?: string | undefined;
  readonly max?: number | undefined;
  readonly min?: number | undefined;
  readonly overlap?: number | undefined;
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
