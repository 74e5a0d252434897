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

it('B8 a writer that is killed leaves a whole library', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strata-lance-'));
  const path = join(folder, 'library');
  const program = `
    const { lancedbBackend } = await import('./dist/drivers/lancedb/backend.js');
    const { sampleWrite } = await import('./dist/store/sample.js');
    const backend = await lancedbBackend({ path: process.argv[1] });
    for (let i = 0; ; i++) await backend.commit({ put: [sampleWrite({ source: 'file:' + i % 7, title: 't' + i,
      parts: [{ heading: 'One', body: 'apple ' + i }, { heading: 'Two', body: 'pear ' + i }] })] });`;
  for (let i = 0; i < 10; i++) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, '--', path], {
      stdio: 'ignore',
    });
    await sleep(1500 + Math.random() * 800);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const backend = await lancedbBackend({ path, reindex: sampleReindex });
    expect(await backend.check()).toEqual([]);
    await backend.close();
  }
  await rm(folder, { recursive: true, force: true });
});
