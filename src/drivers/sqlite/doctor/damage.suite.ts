import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { isStrataError } from '../../../model/errors.js';
import { contentHash } from '../../../model/hash.js';
import type { Backend } from '../../../store/backend.js';
import type { StoredDocument } from '../../../store/records.js';
import { sampleReindex, sampleWrite } from '../../../store/sample.js';
import { sqliteBackend } from '../backend.js';
import type { temporaryLibrary } from '../library.suite.js';

/** Enough of everything: many documents, dead units, several segments, vectors, records. */
export async function fill(backend: Backend): Promise<readonly StoredDocument[]> {
  const word = (n: number) => `word${n % 97} common ${n % 7 === 0 ? '配置' : 'term'}${n % 13}`;
  const write = (n: number, version: number) =>
    sampleWrite({
      source: `file:${n}.md`,
      title: `Title ${n % 5}`,
      parts: Array.from({ length: 1 + (n % 6) }, (_, i) => ({
        heading: `Heading ${i}`,
        body: Array.from({ length: 30 }, (_, j) => word(n * 31 + i * 7 + j * version)).join(' '),
      })),
    });
  for (let n = 0; n < 24; n += 4)
    await backend.commit({ put: [n, n + 1, n + 2, n + 3].map((m) => write(m, 1)) });
  const replaced = [3, 8, 15].map((n) => write(n, 2));
  await backend.commit({ put: replaced, records: [{ kind: 'setting', id: 'a', value: { on: true } }] });
  const gone = write(5, 1).document.id;
  await backend.commit({ remove: [gone] });
  const pending = await backend.vectors.pending('m', 60);
  const entries = pending.map(({ embed_key }, i) => ({
    embed_key,
    vector: Float32Array.of(Math.cos(i), Math.sin(i)),
    parts: [Float32Array.of(Math.cos(i), Math.sin(i)), Float32Array.of(Math.sin(i), Math.cos(i))],
  }));
  await backend.vectors.put({ fingerprint: 'm', dimensions: 2, entries });
  const kept = Array.from(
    { length: 24 },
    (_, n) => replaced.find(({ document }) => document.source === `file:${n}.md`) ?? write(n, 1),
  );
  return kept.filter(({ document }) => document.id !== gone);
}

/** A filled library that nobody has open: where a copy of its file stands, and what was written to it. */
export async function filledCopy(
  library: ReturnType<typeof temporaryLibrary>,
): Promise<{ original: string; written: readonly StoredDocument[] }> {
  const backend = await library.open();
  const written = await fill(backend);
  await backend.tidy();
  await backend.close();
  const original = `${library.path}.original`;
  copyFileSync(library.path, original);
  return { original, written };
}

/** What happened to a library in whose file one bit was flipped. */
export type Outcome = 'refused' | 'harmless' | 'repaired' | 'salvaged';

/**
 * Flips a bit and uses the library in every way: whatever is served must be as it was written, whatever fails must
 * say so, and after a repair everything must be in order again.
 */
export async function flipAndUse(
  original: string,
  scratch: string,
  bit: number,
  written: readonly StoredDocument[],
): Promise<Outcome> {
  for (const suffix of ['', '-wal', '-shm']) rmSync(scratch + suffix, { force: true });
  copyFileSync(original, scratch);
  const bytes = readFileSync(scratch);
  const at = Math.floor(bit / 8);
  bytes[at] = bytes[at]! ^ (1 << (bit % 8));
  writeFileSync(scratch, bytes);
  let backend: Backend;
  try {
    backend = await sqliteBackend({ path: scratch, reindex: sampleReindex });
  } catch (error) {
    expectStoreError(error);
    return 'refused';
  }
  try {
    await useAll(backend, written);
    const found = await backend.check({ fix: true });
    expect(found.filter(({ fixed }) => !fixed)).toEqual([]);
    expect(await backend.check()).toEqual([]);
    await useAll(backend, written);
    if (found.length === 0) return 'harmless';
    return found.some(({ message }) => message.includes('made anew')) ? 'salvaged' : 'repaired';
  } finally {
    await backend.close();
  }
}

async function useAll(backend: Backend, written: readonly StoredDocument[]): Promise<void> {
  for (const { document, chunks, content } of written) {
    await tolerated(async () => {
      const found = await backend.document(document.id);
      if (found !== null) expect(found).toEqual(document);
    });
    await tolerated(async () => {
      const found = await backend.content(document.id);
      if (found !== null) expect(found).toEqual(content);
    });
    const byId = new Map(chunks.map(({ chunk }) => [chunk.id, chunk]));
    await tolerated(async () => {
      for (const chunk of await backend.chunksById([...byId.keys()])) {
        expect(contentHash(chunk.content)).toBe(chunk.hash);
        expect(chunk).toEqual(byId.get(chunk.id));
      }
    });
  }
  const query = { terms: [{ term: 'common', weight: 1 }], k: 20, kind: 'chunk', scorer: 'bm25' } as const;
  await tolerated(async () => {
    for (const { id } of await backend.words.match(query)) await tolerated(() => backend.chunk(id));
  });
  await tolerated(() => backend.vectors.near({ vector: Float32Array.of(1, 0), k: 10 }));
  await tolerated(async () =>
    expect([null, { on: true }]).toContainEqual(await backend.record('setting', 'a')),
  );
}

async function tolerated(use: () => Promise<unknown>): Promise<void> {
  try {
    await use();
  } catch (error) {
    expectStoreError(error);
  }
}

function expectStoreError(error: unknown): void {
  if (isStrataError(error) && error.code.startsWith('STORE_')) return;
  throw error;
}
