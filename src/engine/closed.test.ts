import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openLibrary } from './open.js';

it('B3 whatever is asked of a library that is closed is a StrataError, and closing twice does no harm', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strata-closed-'));
  const library = await openLibrary({ library: join(folder, '.strata'), embedder: 'none' });
  await library.close();
  await library.close();
  const asked = [
    () => library.search('x'),
    () => library.scout('x'),
    () => library.list(),
    () => library.show('x'),
    () => library.find('x'),
    () => library.inspect('x'),
    () => library.status(),
    () => library.add([folder], { cwd: folder, embed: false }),
    () => library.addText({ title: 'a', text: 'b' }),
    () => library.remove(['x']),
    () => library.verify('x'),
    () => library.generation(),
    () => library.check(),
    () => library.rebuild(),
    () => library.embed(),
    () => library.near(new Float32Array(1), 1),
  ];
  for (const ask of asked) {
    await expect(ask(), String(ask)).rejects.toMatchObject({
      name: 'StrataError',
      message: expect.stringContaining('this library is closed'),
    });
  }
  await rm(folder, { recursive: true });
});
