import { createHash } from 'node:crypto';
import { allDocuments } from '../../ingest/known.js';
import type { Document } from '../../model/document.js';
import { StrataError } from '../../model/errors.js';
import { isObject, type Json } from '../../model/json/json.js';
import type { OnProgress } from '../../model/progress.js';
import type { Backend, DocumentWrite } from '../../store/backend.js';
import type { StoredVector } from '../../store/index/quantise.js';
import type { KeyedVector } from '../../store/vectors.js';
import { chunkWords, documentWords } from '../../text/words.js';

/** Small records of the process that writes them, not of the library. */
const KEPT_BEHIND = new Set(['move', 'lease']);
/** In characters: documents are written some at a time, since each commit waits for a disk or a network. */
const BATCH = 1_000_000;
const MOST_DOCUMENTS = 50;
/** A source that is written to all the time is followed so often; then the caller hears of it. */
const MOST_PASSES = 5;

export interface CopyOptions {
  readonly onProgress?: OnProgress | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CopyReport {
  readonly documents: number;
  readonly chunks: number;
  readonly vectors: number;
  /** Documents that were there already, from a copy that was interrupted. */
  readonly kept: number;
}

/**
 * Everything of one library in another store: ids, records and canonical vectors as they are, words made again from the
 * same text. What is there already is left, so a copy that was interrupted goes on. Nothing of the source changes; what
 * others write to it meanwhile is followed.
 */
export async function copyLibrary(
  from: Backend,
  to: Backend,
  options: CopyOptions = {},
): Promise<CopyReport> {
  let kept = 0;
  for (let pass = 1; ; pass++) {
    const before = await from.generation();
    const copied = await copyOnce(from, to, options);
    if (pass === 1) kept = copied;
    if ((await from.generation()) === before) break;
    if (pass === MOST_PASSES)
      throw new StrataError(
        'STORE_BUSY',
        `${from.location}: is being written to; move it when that has ended.`,
      );
  }
  // What was written stands in the store's own indexes from now on: comparing reads all of it.
  await to.tidy();
  return { ...(await verifyCopy(from, to, options)), kept };
}

const interrupted = (): StrataError =>
  new StrataError('ABORTED', 'Interrupted; the same command goes on where it stopped.');

/** How many documents were there already. */
async function copyOnce(from: Backend, to: Backend, { onProgress, signal }: CopyOptions): Promise<number> {
  const { documents: total } = await from.counts();
  const batch = new Batch(from, to);
  const wanted = new Set<string>();
  let done = 0;
  let kept = 0;
  for await (const document of allDocuments(from)) {
    if (signal?.aborted) {
      await batch.flush();
      throw interrupted();
    }
    wanted.add(document.id);
    if (await isThere(from, to, document)) kept++;
    else await batch.add(document);
    onProgress?.({ stage: 'Moving', done: ++done, total, item: document.source_path });
  }
  await batch.flush();
  const gone: string[] = [];
  for await (const { id } of allDocuments(to)) if (!wanted.has(id)) gone.push(id);
  if (gone.length > 0) await to.commit({ remove: gone });
  await copyRecords(from, to);
  const { active, dimensions } = await from.vectors.state();
  if (active !== null && (await to.vectors.state()).active !== active)
    await to.vectors.activate(active, dimensions);
  return kept;
}

async function isThere(from: Backend, to: Backend, document: Document): Promise<boolean> {
  const known = await to.document(document.id);
  if (known === null || !isSame(known, document)) return false;
  return (await digestOf(from, document)) === (await digestOf(to, known));
}

const isSame = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);

async function copyRecords(from: Backend, to: Backend): Promise<void> {
  const records: { kind: string; id: string; value: Json | null }[] = [];
  for (const kind of await from.kinds()) {
    if (KEPT_BEHIND.has(kind)) continue;
    for (const { id, value } of await from.records(kind)) records.push({ kind, id, value });
  }
  const wanted = new Set(records.map(({ kind, id }) => `${kind}/${id}`));
  for (const kind of await to.kinds()) {
    if (KEPT_BEHIND.has(kind)) continue;
    for (const { id } of await to.records(kind))
      if (!wanted.has(`${kind}/${id}`)) records.push({ kind, id, value: null });
  }
  if (records.length > 0) await to.commit({ records });
}

/** Documents on their way, written together with their vectors. */
class Batch {
  readonly #from: Backend;
  readonly #to: Backend;
  #writes: DocumentWrite[] = [];
  #vectors = new Map<string, StoredVector>();
  #size = 0;

  constructor(from: Backend, to: Backend) {
    this.#from = from;
    this.#to = to;
  }

  async add(document: Document): Promise<void> {
    const [chunks, sections, content] = await Promise.all([
      this.#from.chunksOf(document.id),
      this.#from.sections(document.id),
      this.#from.content(document.id),
    ]);
    if (content === null || chunks.length !== document.chunk_count) {
      throw new StrataError(
        'STORE_DAMAGED',
        `${document.source_path}: is not whole in the library; run \`strata doctor --fix\` first.`,
      );
    }
    const keyed = await this.#from.vectors.stored(chunks.map(({ id }) => id));
    for (const { embed_key, vector } of keyed.values())
      if (vector !== null) this.#vectors.set(embed_key, vector);
    this.#writes.push({
      document,
      sections,
      content,
      chunks: chunks.map((chunk) => ({
        chunk,
        embed_key: keyed.get(chunk.id)!.embed_key,
        words: chunkWords(chunk),
      })),
      words: documentWords(document),
    });
    this.#size += content.text.length;
    if (this.#size >= BATCH || this.#writes.length >= MOST_DOCUMENTS) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#writes.length > 0) await this.#to.commit({ put: this.#writes });
    const { active, dimensions } = await this.#from.vectors.state();
    if (active !== null && this.#vectors.size > 0) {
      const entries = [...this.#vectors].map(([embed_key, stored]) => ({ embed_key, stored }));
      await this.#to.vectors.put({ fingerprint: active, dimensions, entries });
    }
    this.#writes = [];
    this.#vectors = new Map();
    this.#size = 0;
  }
}

/** Every document of both is read again and compared by hash: record, sections, text, chunks, keys and vectors. */
export async function verifyCopy(
  from: Backend,
  to: Backend,
  { onProgress, signal }: CopyOptions = {},
): Promise<Omit<CopyReport, 'kept'>> {
  const [counts, there] = await Promise.all([from.counts(), to.counts()]);
  if (!isSame(counts, there))
    throw differs(
      to,
      `it has ${there.documents} documents and ${there.chunks} passages, not ${counts.documents} and ${counts.chunks}`,
    );
  let done = 0;
  let vectors = 0;
  for await (const document of allDocuments(from)) {
    if (signal?.aborted) throw interrupted();
    const copy = await to.document(document.id);
    if (copy === null || !isSame(copy, document))
      throw differs(to, `${document.source_path} is not the same there`);
    const found = { vectors: 0 };
    if ((await digestOf(from, document, found)) !== (await digestOf(to, copy)))
      throw differs(to, `${document.source_path} is not the same there`);
    vectors += found.vectors;
    onProgress?.({ stage: 'Comparing', done: ++done, total: counts.documents, item: document.source_path });
  }
  return { ...counts, vectors };
}

const differs = (to: Backend, problem: string): StrataError =>
  new StrataError(
    'STORE_FAILED',
    `${to.location}: the copy is not the library: ${problem}. Nothing was switched; run the same command again.`,
  );

async function digestOf(backend: Backend, { id }: Document, found = { vectors: 0 }): Promise<string> {
  const [chunks, sections, content] = await Promise.all([
    backend.chunksOf(id),
    backend.sections(id),
    backend.content(id),
  ]);
  const keyed = await backend.vectors.stored(chunks.map((chunk) => chunk.id));
  const hash = createHash('sha256').update(canonical([chunks, sections, content]));
  for (const chunk of chunks) {
    const one = keyed.get(chunk.id);
    if (one?.vector) found.vectors++;
    hash.update(one === undefined ? 'none' : vectorText(one));
  }
  return hash.digest('hex');
}

function vectorText({ embed_key, vector }: KeyedVector): string {
  if (vector === null) return `${embed_key} –`;
  const one = ({ scale, codes }: StoredVector): string => {
    const length = codes.findLastIndex((code) => code !== 0) + 1;
    return `${scale}:${Buffer.from(codes.buffer, codes.byteOffset, length).toString('base64')}`;
  };
  return [embed_key, one(vector), ...(vector.parts ?? []).map(one)].join(' ');
}

/** Stores keep fields in whatever order. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, item) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  );
