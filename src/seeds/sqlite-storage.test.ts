import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it, onTestFinished } from 'vitest';
import type { KnowledgeChunkFields } from './knowledge-chunk.js';
import { SQLiteStorageManager } from './sqlite-storage.js';

const content = 'First part of it.\n\nSecond part of it.\n\n第三部分。\n\nFirst part of it.';

/** One chunk a paragraph. */
function chunksOf(item_id: string, prefix = 'chunk'): KnowledgeChunkFields[] {
  let start = 0;
  return content.split('\n\n').map((text, chunk_index) => {
    const at = content.indexOf(text, start);
    start = at + text.length;
    return {
      id: `${prefix}-${chunk_index}`,
      item_id,
      chunk_index,
      content: text,
      heading: `Part ${chunk_index}`,
      start_position: at,
      end_position: start,
      metadata: { page: chunk_index },
    };
  });
}

async function storage(): Promise<{ manager: SQLiteStorageManager; path: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'strata-seed-'));
  const path = join(folder, 'knowledge.db');
  const manager = await SQLiteStorageManager.open(path);
  onTestFinished(async () => {
    await manager.close();
    rmSync(folder, { recursive: true });
  });
  return { manager, path };
}

it('S2.9 chunks come back as they were saved, in order, by item and by id', async () => {
  const { manager } = await storage();
  await manager.saveItem({ id: 'item-1', title: 'Item', content });
  expect(await manager.getChunksForItem('item-1')).toEqual([]);
  await manager.saveChunks('item-1', chunksOf('item-1'));
  expect(await manager.getChunksForItem('item-1')).toEqual(chunksOf('item-1'));
  for (const chunk of chunksOf('item-1')) expect(await manager.getChunkById(chunk.id)).toEqual(chunk);
  expect(await manager.getChunkById('nobody')).toBeNull();
  expect(await manager.getChunksForItem('nobody')).toEqual([]);
});

it('S2.9 saving again replaces all chunks of the item, and of no other', async () => {
  const { manager } = await storage();
  await manager.saveItem({ id: 'a', title: 'A', content }, chunksOf('a', 'a'));
  await manager.saveItem({ id: 'b', title: 'B', content }, chunksOf('b', 'b'));
  const fewer = chunksOf('a', 'new').slice(0, 2);
  await manager.saveChunks('a', fewer);
  expect(await manager.getChunksForItem('a')).toEqual(fewer);
  expect(await manager.getChunkById('a-3')).toBeNull();
  expect(await manager.getChunkById('a-0')).toBeNull();
  expect(await manager.getChunksForItem('b')).toEqual(chunksOf('b', 'b'));
  const broken = [{ ...chunksOf('a')[0]!, content: 'not in the item' }];
  await expect(manager.saveChunks('a', broken)).rejects.toMatchObject({ code: 'INVALID_RECORD' });
  expect(await manager.getChunksForItem('a')).toEqual(fewer);
  await expect(manager.saveChunks('nobody', [])).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('S2.9 neighbours are those before and after', async () => {
  const { manager } = await storage();
  const chunks = chunksOf('a');
  await manager.saveItem({ id: 'a', title: 'A', content }, chunks);
  expect(await manager.getAdjacentChunks('a', 1)).toEqual([chunks[0], chunks[2]]);
  expect(await manager.getAdjacentChunks('a', 0)).toEqual([chunks[1]]);
  expect(await manager.getAdjacentChunks('a', 3)).toEqual([chunks[2]]);
  expect(await manager.getAdjacentChunks('a', 1, 2)).toEqual([chunks[0], chunks[2], chunks[3]]);
});

it('S2.2 deleting an item deletes its chunks', async () => {
  const { manager, path } = await storage();
  await manager.saveItem({ id: 'a', title: 'A', content }, chunksOf('a'));
  await manager.deleteItem('a');
  expect(await manager.getChunksForItem('a')).toEqual([]);
  expect(await manager.getChunkById('chunk-0')).toBeNull();
  const raw = new DatabaseSync(path);
  for (const table of ['knowledge_items', 'knowledge_chunks', 'records']) {
    expect(raw.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 0 });
  }
  raw.close();
});

it('S2.6 the ids that were given come back from search, with heading, positions and neighbours', async () => {
  const { manager } = await storage();
  await manager.saveItem(
    { id: 'item-1', title: 'Item', content, metadata: { by: 'me' } },
    chunksOf('item-1'),
  );
  const [hit, ...others] = await manager.search('second');
  expect(others).toEqual([]);
  expect(hit).toMatchObject({ item: { id: 'item-1', title: 'Item', content, metadata: { by: 'me' } } });
  const [second] = chunksOf('item-1').slice(1);
  const { id, item_id: _, metadata: __, ...fields } = second!;
  expect(hit!.matched_chunks).toEqual([{ chunk_id: id, ...fields }]);
  expect(hit!.context_chunks.map(({ chunk_id }) => chunk_id)).toEqual(['chunk-0', 'chunk-2']);
  expect(await manager.search('zebra')).toEqual([]);
});

it('S2.9 bad items and chunks are refused by name, and nothing is written', async () => {
  const { manager } = await storage();
  const item = { id: 'a', title: 'A', content };
  const [chunk] = chunksOf('a');
  const bad: readonly [unknown, unknown, string][] = [
    [undefined, [], 'item'],
    [{ title: 'A', content }, [], 'item.id'],
    [{ ...item, content: 7 }, [], 'item.content'],
    [{ ...item, metadata: 'x' }, [], 'item.metadata'],
    [item, 'chunks', 'chunks'],
    [item, [null], 'chunks[0]'],
    [item, [chunk, { ...chunk, chunk_index: '1' }], 'chunks[1].chunk_index'],
    [item, [{ ...chunk, metadata: undefined }], 'chunks[0].metadata'],
  ];
  for (const [given, chunks, name] of bad) {
    await expect(manager.saveItem(given as never, chunks as never), name).rejects.toMatchObject({
      code: 'INVALID_RECORD',
      message: expect.stringContaining(name),
    });
  }
  await expect(manager.saveChunks('a', [])).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
