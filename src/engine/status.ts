import { settingsOf } from '../ingest/chunking.js';
import type { LibraryStatus } from './library.js';
import type { LibraryParts } from './library-parts.js';
import { keptSettings } from './settings.js';

/** What there is, and what is missing. Opens no model: a look must be cheap. */
export async function libraryStatus({
  location,
  root,
  backend,
  embedders,
}: LibraryParts): Promise<LibraryStatus> {
  const [counts, generation, kept, vectors] = await Promise.all([
    backend.counts(),
    backend.generation(),
    keptSettings(backend),
    backend.vectors.state(),
  ]);
  const { strategy, max, min, overlap } = settingsOf(kept.chunking);
  const embedded = vectors.active === null ? 0 : (vectors.embedded[vectors.active] ?? 0);
  const reason = embedders.off
    ? 'switched off (--embedder none)'
    : (embedders.reason ?? missing(vectors.active));
  return {
    location,
    root,
    driver: backend.driver,
    ...counts,
    generation,
    settings: {
      strategy,
      max: Number.isFinite(max) ? max : null,
      min,
      overlap,
      embedder: kept.embedder ?? 'default',
    },
    vectors: {
      model: vectors.active,
      dimensions: vectors.dimensions,
      embedded,
      pending: Math.max(0, counts.chunks - embedded),
      ...(reason !== undefined && { reason }),
    },
  };
}

const missing = (active: string | null): string | undefined =>
  active === null ? 'no vectors yet; `strata embed` makes them' : undefined;
