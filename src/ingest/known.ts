import type { Document } from '../model/document.js';
import type { JsonObject } from '../model/json.js';
import type { Backend } from '../store/backend.js';

/** What the library remembers of a source, to see whether it has changed without reading it. */
export interface Known {
  readonly id: string;
  readonly source: string;
  readonly source_path: string;
  readonly size: number;
  readonly mtime_ms: number;
  readonly bytes_hash: string;
  /** How it was cut: see `chunkingKey`. */
  readonly chunking: string;
  readonly metadata: JsonObject;
}

export interface KnownSources {
  readonly bySource: ReadonlyMap<string, Known>;
  readonly byBytes: ReadonlyMap<string, readonly Known[]>;
}

const PAGE = 1_000;

export async function knownSources(backend: Backend): Promise<KnownSources> {
  const bySource = new Map<string, Known>();
  const byBytes = new Map<string, Known[]>();
  for await (const document of allDocuments(backend)) {
    const known = knownOf(document);
    bySource.set(known.source, known);
    if (known.bytes_hash === '') continue;
    const same = byBytes.get(known.bytes_hash);
    if (same) same.push(known);
    else byBytes.set(known.bytes_hash, [known]);
  }
  return { bySource, byBytes };
}

/** All of them, a page at a time. */
export async function* allDocuments(backend: Backend): AsyncGenerator<Document> {
  let after: string | undefined;
  for (;;) {
    const page = await backend.documents({ limit: PAGE, ...(after !== undefined && { after }) });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.source;
  }
}

function knownOf({ id, source, source_path, metadata }: Document): Known {
  const { size, mtime_ms, bytes_hash, chunking } = metadata;
  return {
    id,
    source,
    source_path,
    size: typeof size === 'number' ? size : -1,
    mtime_ms: typeof mtime_ms === 'number' ? mtime_ms : -1,
    bytes_hash: typeof bytes_hash === 'string' ? bytes_hash : '',
    chunking: typeof chunking === 'string' ? chunking : '',
    metadata,
  };
}
