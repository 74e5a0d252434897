import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleWrite } from '../../store/sample.js';
import { temporaryLibrary, withParameters } from './server.suite.js';

/** What needs a real server: several processes, lost connections, a restart, roles. `npm run test:postgres` starts one. */
const url = process.env.STRATA_TEST_POSTGRES!;
const folder = process.env.STRATA_TEST_POSTGRES_FOLDER!;
const SCHEMA = 'strata_shared';
let admin: Sql;
beforeAll(() => {
  admin = postgres(url, { max: 1, onnotice: () => {} });
});
afterAll(() => admin.end());

const write = (source: string, text: string) =>
  sampleWrite({
    source: `file:${source}`,
    title: source,
    parts: [
      { heading: 'One', body: text },
      { heading: 'Two', body: `${text} again` },
    ],
  });

/** A process that writes `count` documents of its own and as many that others write, too. */
function writer(library: string, name: string, count: number): ChildProcess {
  const program = `
    const { postgresBackend } = await import('./dist/drivers/postgres/backend.js');
    const { addressOf } = await import('./dist/drivers/postgres/address.js');
    const { sampleWrite } = await import('./dist/store/sample.js');
    const address = addressOf(process.argv[1], { location: '', isAsked: true }, {});
    const backend = await postgresBackend({ address });
    const [name, count] = [process.argv[2], Number(process.argv[3])];
    for (let i = 0; i < count; i++) {
      const put = (source, text) => backend.commit({ put: [sampleWrite({ source: 'file:' + source, title: source,
        parts: [{ heading: 'One', body: text }, { heading: 'Two', body: text + ' again' }] })] });
      await put(name + i, 'apple ' + name + i);
      await put('shared' + (i % 3), 'pear ' + name + i);
    }
    await backend.close();`;
  const place = withParameters(url, { library, schema: SCHEMA });
  return spawn(process.execPath, ['--input-type=module', '-e', program, '--', place, name, String(count)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

describe('a library that several machines share', () => {
  it('B8 four processes write the same and different documents; all of it is there, and whole', async () => {
    const library = temporaryLibrary(url, SCHEMA);
    const backend = await library.open();
    const children = ['a', 'b', 'c', 'd'].map((name) => writer(library.name, name, 12));
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
    expect(codes).toEqual([0, 0, 0, 0]);
    expect(await backend.counts()).toEqual({ documents: 4 * 12 + 3, chunks: 2 * (4 * 12 + 3) });
    const query = { terms: [{ term: 'apple', weight: 1 }], k: 1000, kind: 'chunk', scorer: 'bm25' } as const;
    expect(await backend.words.match(query)).toHaveLength(2 * 4 * 12);
    expect(await backend.check()).toEqual([]);
    await backend.close();
    await library.dispose();
  });

  it('B8 a writer that is killed leaves whole documents, and the next one goes on', async () => {
    const library = temporaryLibrary(url, SCHEMA);
    const backend = await library.open();
    for (let i = 0; i < 10; i++) {
      const child = writer(library.name, `k${i}`, 1000);
      await sleep(600 + Math.random() * 500);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await backend.commit({ put: [write('mine', `plum ${i}`)] });
      expect(await backend.check()).toEqual([]);
    }
    await backend.close();
    await library.dispose();
  });

  it('B8 dropped connections and a restart in the middle cost some time and nothing else', async () => {
    const library = temporaryLibrary(url, SCHEMA);
    const backend = await library.open();
    const disturb = async () => {
      for (let i = 0; i < 4; i++) {
        await sleep(150);
        await admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'strata'`.catch(
          () => {},
        );
      }
      execFileSync('bash', ['scripts/start-postgres.sh', folder, 'restart'], { stdio: 'ignore' });
    };
    let isDisturbed = true;
    const disturbing = disturb().finally(() => {
      isDisturbed = false;
    });
    let written = 0;
    while (isDisturbed || written < 10) {
      await backend.commit({ put: [write(`d${written}`, `apple ${written}`)] });
      written++;
      expect((await backend.counts()).documents).toBe(written);
    }
    await disturbing;
    expect(await backend.check()).toEqual([]);
    await backend.close();
    await library.dispose();
  });

  it('S4.5 deleting a document by SQL takes its chunks, vectors and words', async () => {
    const library = temporaryLibrary(url, SCHEMA);
    const backend = await library.open();
    const doc = write('gone', 'cherry');
    await backend.commit({ put: [doc, write('stays', 'cherry')] });
    const vector = Float32Array.of(1, 0, 0);
    await backend.vectors.put({
      fingerprint: 'm',
      dimensions: 3,
      entries: doc.chunks.map(({ embed_key }) => ({ embed_key, vector })),
    });
    await admin`DELETE FROM ${admin(`${SCHEMA}.documents`)} WHERE id = ${doc.document.id}`;
    const query = { terms: [{ term: 'cherry', weight: 1 }], k: 10, kind: 'chunk', scorer: 'bm25' } as const;
    expect(await backend.words.match(query)).toHaveLength(2);
    expect(await backend.vectors.near({ vector, k: 10 })).toEqual([]);
    await backend.commit({});
    const [left] =
      await admin`SELECT count(*) AS n FROM ${admin(`${SCHEMA}.strata_vectors`)} WHERE library = ${library.name}`;
    expect(Number(left!.n)).toBe(0);
    expect(await backend.check()).toEqual([]);
    await backend.close();
    await library.dispose();
  });
});
