import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { describeBackend } from '../../store/backend.suite.js';
import { describeProperty } from '../../store/property.suite.js';
import { sampleReindex, sampleWrite } from '../../store/sample.js';
import { lancedbBackend } from './backend.js';

const create = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strata-lance-'));
  return {
    open: () => lancedbBackend({ path: join(folder, 'library'), reindex: sampleReindex }),
    spoil: async (id: string) => {
      const lancedb = createRequire(import.meta.url)('@lancedb/lancedb');
      const table = await (await lancedb.connect(join(folder, 'library'))).openTable('knowledge');
      await table.update({ where: `key = 'chunk/${id}'`, values: { content: 'spoilt' } });
    },
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
};

describeBackend('lancedb', create);
describeProperty('lancedb', create, { runs: 10, steps: 30 });

it('B8 an open table of LanceDB has title, summary, content and vector for other programs', async () => {
  const fixture = await create();
  const backend = await fixture.open();
  const write = sampleWrite({ source: 'file:a', title: 'A', parts: [{ heading: 'One', body: 'apple' }] });
  await backend.commit({ put: [write] });
  const entries = [{ embed_key: write.chunks[0]!.embed_key, vector: Float32Array.of(1, 0) }];
  await backend.vectors.put({ fingerprint: 'm', dimensions: 2, entries });
  const lancedb = createRequire(import.meta.url)('@lancedb/lancedb');
  const table = await (await lancedb.connect(backend.location)).openTable('knowledge');
  const [found] = await table.vectorSearch([1, 0]).where("kind = 'chunk'").limit(1).toArray();
  expect(found).toMatchObject({
    title: 'One',
    content: write.chunks[0]!.chunk.content,
    doc_id: write.document.id,
  });
  await backend.close();
  await fixture.dispose();
});

/** How many kills; 100 is what was promised, and takes minutes. */
const KILLS = Number(process.env.STRATA_KILLS ?? 10);

/** Commits, embeds and tidies for ever, and says which commits it was told are done. */
const WRITER = `
  const { lancedbBackend } = await import('./dist/drivers/lancedb/backend.js');
  const { sampleWrite } = await import('./dist/store/sample.js');
  const backend = await lancedbBackend({ path: process.argv[1] });
  for (let i = Number(process.argv[2]); ; i++) {
    const write = sampleWrite({ source: 'file:' + i % 7, title: 't' + i,
      parts: [{ heading: 'One', body: 'apple ' + i }, { heading: 'Two', body: 'pear ' + i }] });
    await backend.commit({ put: [write] });
    process.stdout.write(i + '\\n');
    const entries = write.chunks.map(({ embed_key }) => ({ embed_key, vector: Float32Array.of(1, i % 5) }));
    await backend.vectors.put({ fingerprint: 'm', dimensions: 2, entries });
    if (i % 9 === 0) await backend.tidy();
  }`;

it(`B8 a writer that is killed ${KILLS} times leaves a whole library, with all that it was told is done`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strata-lance-'));
  const path = join(folder, 'library');
  let last = -1;
  for (let i = 0; i < KILLS; i++) {
    const child = spawn(
      process.execPath,
      ['--input-type=module', '-e', WRITER, '--', path, String(last + 1)],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    let told = '';
    child.stdout.on('data', (data) => {
      told += data;
    });
    await once(child.stdout, 'data');
    await sleep(Math.random() * 1500);
    child.kill('SIGKILL');
    await once(child, 'close');
    last = Number(told.trim().split('\n').at(-1));
    const backend = await lancedbBackend({ path, reindex: sampleReindex });
    expect(await backend.check()).toEqual([]);
    for (let n = Math.max(0, last - 6); n <= last; n++) {
      const { title } = (await backend.documentBySource(`file:${n % 7}`))!;
      // The one that was being written when the blow came may be there, too.
      expect([`t${n}`, `t${n + 7}`]).toContain(title);
      const number = Number(title.slice(1));
      const found = await backend.words.match({
        terms: [{ term: String(number), weight: 1 }],
        k: 5,
        kind: 'chunk',
        scorer: 'bm25',
      });
      expect(found).toHaveLength(2);
    }
    await backend.close();
  }
  expect(last).toBeGreaterThan(KILLS);
  await rm(folder, { recursive: true, force: true });
});
