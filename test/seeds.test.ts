import { expect, it } from 'vitest';
import { folder, guide } from './strata.js';

it('S1.1 add --json lists the UUIDs of all slices in a library that cuts at H2', async () => {
  const here = folder({ 'a.md': guide('Alpha', 'Apples', 'Apricots') });
  const report = (await here.strata('add', 'a.md', '--store', 'json', '--strategy', 'h2', '--json')).json<{
    entries: { id: string; chunk_count: number; chunk_ids: string[] }[];
  }>();
  const { id, chunk_count, chunk_ids } = report.entries[0]!;
  expect(chunk_ids).toHaveLength(chunk_count);
  const whole = (await here.strata('inspect', id, '--json')).json<{ children: { id: string }[] }>();
  expect(whole.children.map((child) => child.id)).toEqual(chunk_ids);
});
