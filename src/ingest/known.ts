import { access } from 'node:fs/promises';
import type { Document } from '../model/document.js';
import type { JsonObject } from '../model/json/json.js';
import { pause } from '../model/turns.js';
import { pathOfSource } from '../source/path.js';
import type { Backend } from '../store/backend.js';
import type { AddOptions } from './add-options.js';
import type { Candidate } from './gather.js';

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

/** All of a library's sources, and the questions a run asks about them. */
export class KnownSources {
  readonly bySource = new Map<string, Known>();
  readonly #byBytes = new Map<string, Known[]>();
  /** A new file of the same size as a known one may be that one, moved. */
  readonly #sizes = new Set<number>();
  /** Documents whose vanished file was found again elsewhere. */
  readonly #claimed = new Set<string>();

  static async of(backend: Backend): Promise<KnownSources> {
    const known = new KnownSources();
    for await (const document of allDocuments(backend)) known.add(document);
    return known;
  }

  add(document: Document): void {
    const known = knownOf(document);
    this.bySource.set(known.source, known);
    this.#sizes.add(known.size);
    if (known.bytes_hash === '') return;
    const same = this.#byBytes.get(known.bytes_hash);
    if (same) same.push(known);
    else this.#byBytes.set(known.bytes_hash, [known]);
  }

  /** False where nothing depends on the file's bytes: it is neither a known file nor one that was moved. */
  mayHold({ source, size }: Candidate): boolean {
    return this.bySource.has(source) || this.#sizes.has(size);
  }

  /** A document with these very bytes whose own file is gone: this file is that document, under a new name. */
  async movedFrom(bytes_hash: string, root: string): Promise<Known | undefined> {
    for (const known of this.#byBytes.get(bytes_hash) ?? []) {
      const path = pathOfSource(root, known.source);
      if (path === null || this.#claimed.has(known.id)) continue;
      this.#claimed.add(known.id);
      if (!(await exists(path))) return known;
      this.#claimed.delete(known.id);
    }
    return undefined;
  }

  wasMoved({ id }: Known): boolean {
    return this.#claimed.has(id);
  }
}

/** The same settings, and no new tags: only the file can make a difference. */
export function isCutTheSame(
  known: Known,
  chunking: string,
  { tags, collection }: Pick<AddOptions, 'tags' | 'collection'>,
): boolean {
  const had = Array.isArray(known.metadata.tags) ? known.metadata.tags : [];
  return (
    known.chunking === chunking &&
    (tags ?? []).every((tag) => had.includes(tag)) &&
    (collection === undefined || known.metadata.collection === collection)
  );
}

const PAGE = 1_000;

/** All of them, a page at a time. */
export async function* allDocuments(backend: Backend): AsyncGenerator<Document> {
  let after: string | undefined;
  for (;;) {
    const page = await backend.documents({ limit: PAGE, ...(after !== undefined && { after }) });
    for (const document of page) {
      await pause();
      yield document;
    }
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

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
