import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import { openLibrary } from './open.js';

it('B1 search, scout and inspect say that a damaged passage was left out, until it is repaired', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-damage-'));
  try {
    const library = await openLibrary({ library: join(folder, '.strata'), embedder: 'none', create: true });
    const text = '# Harbour\n\n## Tides\n\nTides come at noon.\n\n## Ships\n\nTides carry the ships.\n';
    await library.addText({ title: 'Harbour', text });
    const { documents } = await library.list();
    const asked = () =>
      Promise.all([library.search('tides'), library.scout('tides'), library.inspect(documents[0]!.id)]);
    for (const { notices = [] } of await asked()) expect(notices).toEqual([]);
    const file = new DatabaseSync(join(folder, '.strata', 'library.db'));
    file.exec("UPDATE knowledge_chunks SET heading = 'x' WHERE chunk_index = 0");
    file.close();
    const told = expect.stringMatching(
      /^Left out, being damaged: The chunk .* is damaged on disk\. `strata doctor/,
    );
    for (const { notices } of await asked()) expect(notices).toEqual([told]);
    // The doctor takes out what it cannot mend; then there is nothing left to tell.
    await library.check({ fix: true });
    expect((await library.search('tides')).notices).toEqual([]);
    expect((await library.scout('tides')).notices).toEqual([]);
    await library.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
