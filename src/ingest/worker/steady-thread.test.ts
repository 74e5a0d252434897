import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sqliteBackend } from '../../drivers/sqlite/backend.js';
import { settingsOf } from '../../engine/settings.js';
import type { PreparedChange, PrepareRequest } from '../prepare.js';
import { prepare } from '../prepare.js';
import { prepareSteady, takesSteady } from './steady-thread.js';

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'strata-steady-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
};

function fileWith(name: string, content: string | Uint8Array) {
  const path = join(folder(), name);
  writeFileSync(path, content);
  return { path, source_path: name, name, named: true, size: statSync(path).size };
}

const request = (name: string): PrepareRequest => ({
  doc_id: '01234567-89ab-8def-8123-456789abcdef',
  source: `file:${name}`,
  source_path: name,
  name,
  settings: settingsOf({}),
  updated_at: new Date(0).toISOString(),
  metadata: {},
  driver: 'sqlite',
});

const records = (count: number): string =>
  JSON.stringify(
    Array.from({ length: count }, (_, at) => ({
      title: `Record ${at}`,
      text: `${at} 知识 “quoted” words\n\n${'of a record that is long enough to be cut '.repeat(20)}${at * 7}`,
    })),
  );

it('a thread prepares a JSON file in parts as this one would as a whole', async () => {
  const file = fileWith('records.json', records(800));
  const prepared = (await prepareSteady(file, request(file.name))) as PreparedChange;
  const [packed] = prepared.change.packed!;
  expect(packed!.ahead!.length).toBeGreaterThan(1);
  const { metadata, updated_at } = prepared.document;
  const { readFile } = await import('node:fs/promises');
  const { write } = await prepare(await readFile(file.path), { ...request(file.name), metadata, updated_at });
  const [there, here] = await Promise.all(
    ['there.db', 'here.db'].map((name) => sqliteBackend({ path: join(folder(), name) })),
  );
  await there!.commit(prepared.change);
  await here!.commit({ put: [write] });
  const { id } = write.document;
  expect(await there!.document(id)).toEqual(await here!.document(id));
  expect(await there!.chunksOf(id)).toEqual(await here!.chunksOf(id));
  expect(await there!.sections(id)).toEqual(await here!.sections(id));
  expect(await there!.content(id)).toEqual(await here!.content(id));
  const query = { terms: [{ term: 'record', weight: 1 }], k: 50, kind: 'chunk', scorer: 'bm25' } as const;
  expect(await there!.words.match(query)).toEqual(await here!.words.match(query));
  expect(await there!.check()).toEqual([]);
  await Promise.all([there!.close(), here!.close()]);
});

it('what is not what its name says, expands, or nests too deep is left to a process', async () => {
  const expands = `${'{"a":'.repeat(1_900)}["${'x","'.repeat(20_000)}","${'y'.repeat(500)}"]${'}'.repeat(1_900)}`;
  for (const file of [
    fileWith('pdf.json', '%PDF-1.4 and nothing more'),
    fileWith('expands.json', expands),
    fileWith('deep.json', '['.repeat(100_000)),
  ]) {
    expect(takesSteady(file)).toBe(true);
    expect([basename(file.path), await prepareSteady(file, request(file.name))]).toEqual([file.name, null]);
  }
});

it('a damaged JSON file is read as text, and one that is no text is named', async () => {
  const damaged = fileWith('damaged.json', '{"a": [1, 2\n"some words"');
  const prepared = (await prepareSteady(damaged, request(damaged.name))) as PreparedChange;
  expect(prepared.warnings[0]).toMatch(/line 2 has .* read as text/);
  const noise = fileWith(
    'noise.json',
    Uint8Array.from({ length: 5_000 }, (_, at) => (at * 7919) % 251),
  );
  await expect(prepareSteady(noise, request(noise.name))).rejects.toMatchObject({ code: 'BINARY' });
});

it('only formats that are steady, and no file beside which a process would not matter', () => {
  const file = { path: '/x', source_path: 'x', named: true, size: 5_000_000 };
  expect(takesSteady({ ...file, name: 'a.JSON' })).toBe(true);
  expect(takesSteady({ ...file, name: 'a.ndjson' })).toBe(true);
  expect(takesSteady({ ...file, name: 'a.pdf' })).toBe(false);
  expect(takesSteady({ ...file, name: 'a.json', size: 200 * 2 ** 20 })).toBe(false);
});
