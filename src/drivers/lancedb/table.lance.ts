import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sampleWrite } from '../../store/sample.js';
import { lancedbBackend } from './backend.js';
import { row, Table } from './table.js';

it('B8 processes that write once each have the table tidied together', async () => {
  const path = await mkdtemp(join(tmpdir(), 'strata-lance-'));
  for (let i = 0; i < 60; i++) {
    const backend = await lancedbBackend({ path });
    const parts = [{ heading: 'One', body: `apple ${i}` }];
    await backend.commit({ put: [sampleWrite({ source: `file:${i}`, title: 'A', parts })] });
    await backend.close();
  }
  const table = await Table.open(path);
  expect((await table.layout()).files).toBeLessThan(20);
  table.close();
  await rm(path, { recursive: true, force: true });
});

it('B8 the index of vectors does not fall into ever more pieces, and finds what was written last', async () => {
  const path = await mkdtemp(join(tmpdir(), 'strata-lance-'));
  const table = await Table.open(path);
  await table.renewVectors(8);
  // Two small groups are far from all others: LanceDB finds the parts of these too small, and that of the others too large.
  const vectorOf = (i: number) =>
    Float32Array.from({ length: 8 }, (_, at) => {
      const group = i % 41 === 0 && at < 4 ? -1 : 0;
      return Math.sin(i * (at + 1)) / 10 + (i % 40 === 0 && at % 2 === 0 ? -1 : 1) + group;
    });
  const rowOf = (i: number, vector = vectorOf(i)) =>
    row({ key: `chunk/${i}`, kind: 'chunk', id: String(i), vector });
  const many = Array.from({ length: 33_000 }, (_, i) => rowOf(i));
  await table.merge(many, null);
  await table.tidy(0);
  const seen: number[] = [];
  const last = Float32Array.of(1, -1, 0, 0, 0, 0, 0, 0);
  for (let i = 0; i < 40; i++) {
    await table.merge([i < 39 ? rowOf(i) : rowOf(33_000, last)], null);
    await table.tidy(0);
    const { files, pieces } = await table.layout();
    // Files that stand in the same pieces are written again together, the large one with the others.
    expect(files).toBe(pieces);
    seen.push(pieces);
  }
  expect(seen.slice(0, 23)).toEqual(Array.from({ length: 23 }, (_, i) => i + 2));
  expect(seen.slice(23)).toEqual(Array.from({ length: 17 }, (_, i) => i + 1));
  const [found] = await table.near(last, null, 10, ['id']);
  expect(found!.id).toBe('33000');
  table.close();
  await rm(path, { recursive: true, force: true });
});

it('B8 who reads while another tidies reads all, and only what is live stays on the disk', async () => {
  const path = await mkdtemp(join(tmpdir(), 'strata-lance-'));
  const [writer, reader] = [await Table.open(path), await Table.open(path)];
  const rowOf = (i: number) => row({ key: `chunk/${i}`, kind: 'chunk', content: 'x'.repeat(1000) });
  await writer.merge(
    Array.from({ length: 3000 }, (_, i) => rowOf(i)),
    null,
  );
  let isDone = false;
  const counts = new Set<number>();
  const reading = (async () => {
    while (!isDone) counts.add((await reader.select("kind = 'chunk'", ['key', 'content'])).length);
  })();
  for (let i = 0; i < 100; i++) {
    await writer.merge([rowOf(i)], null);
    await writer.tidy(0);
  }
  isDone = true;
  await reading;
  expect([...counts]).toEqual([3000]);
  expect(await readdir(join(path, 'knowledge.lance', 'data'))).toHaveLength((await writer.layout()).files);
  reader.close();
  writer.close();
  await rm(path, { recursive: true, force: true });
});

it('B8 a file in place of the folder, and a table without its data: each says what to do', async () => {
  const path = await mkdtemp(join(tmpdir(), 'strata-lance-'));
  await writeFile(join(path, 'file'), '');
  await expect(Table.open(join(path, 'file'))).rejects.toThrow(/this is a file; name a folder/);
  const table = await Table.open(path);
  await table.merge([row({ key: 'chunk/1', kind: 'chunk' })], null);
  table.close();
  await rm(join(path, 'knowledge.lance', 'data'), { recursive: true });
  const damaged = await Table.open(path);
  const error = await damaged.select("kind = 'chunk'", ['key']).catch((thrown: Error) => thrown);
  expect(String(error)).toMatch(/damaged.*Restore a backup/);
  expect(String(error)).not.toMatch(/\.rs:/);
  damaged.close();
  await rm(path, { recursive: true, force: true });
});
