import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { embeddingService } from './embedding-service.js';
import { serveLibrary } from './program.js';
import { folder } from './strata.js';

const rows = Array.from({ length: 8 }, (_, at) => ({
  title: `Machine ${at}`,
  'a/b':
    `The machine subject${at} is cleaned every week, repaired when it stops, and stored in a dry room. `.repeat(
      3,
    ),
}));

describe('tables and tools on the command line', () => {
  it('S3.1 S3.2 S3.3 S3.5 from a file to an answer, with the model, and back', async () => {
    const service = await embeddingService();
    const here = folder({ 'rows.json': JSON.stringify({ rows, note: 'short' }), 'bad.json': '{"a": ' });
    const run = async (...args: string[]) =>
      here.run([...args, '--embedder', 'openai:small-24', '--json'], { env: service.env });
    expect((await run('table', 'put', 'machines', 'rows.json')).json()).toMatchObject({ outcome: 'added' });
    const create = ['tool', 'create', 'ask', '--table', 'machines', '--path', "$.rows[*]['a/b']"];
    expect((await run(...create)).json()).toMatchObject({
      outcome: 'added',
      strings: { added: 8 },
      embedded: 8,
    });
    const count = service.embedded.length;
    expect((await run(...create)).json()).toMatchObject({ outcome: 'unchanged', embedded: 0 });
    expect(service.embedded.length).toBe(count);
    const { results } = (
      await run('tool', 'call', 'ask', 'how', 'is', 'subject3', 'stored', '-k', '2')
    ).json<{
      results: { score: number; chunk: Record<string, unknown> }[];
    }>();
    expect(results).toHaveLength(2);
    expect(results[0]!.chunk).toMatchObject({
      json_pointer: '/rows/3/a~1b',
      chunk_index: 0,
      total_chunks: 1,
    });
    expect(rows[3]!['a/b']).toContain(results[0]!.chunk.chunk_text);

    const patch = JSON.stringify([{ op: 'remove', path: '/rows/3' }]);
    expect((await run('table', 'patch', 'machines', '--content', patch)).json()).toMatchObject({
      outcome: 'changed',
      tools: [{ strings: { removed: 1 } }],
    });
    expect((await run('table', 'get', 'machines', '/rows/3/title')).json()).toMatchObject({
      value: 'Machine 4',
    });
    expect((await run('tool', 'list')).json()).toMatchObject({
      tools: [{ name: 'ask', strings: 7, pending: 0 }],
    });
    expect((await run('tool', 'remove', 'ask')).json()).toMatchObject({ cleaned: true });
    expect((await run('table', 'remove', 'machines')).code).toBe(0);
    expect((await run('status')).json()).toMatchObject({ documents: 0 });
  }, 60_000);

  it('S3.1 what is wrong is said in one line that names it', async () => {
    const here = folder({ 'rows.json': JSON.stringify({ rows }), 'bad.json': '{"a": ' });
    await here.strata('table', 'put', 'machines', 'rows.json');
    const wrong: readonly [readonly string[], RegExp][] = [
      [['table', 'put', 'x', 'bad.json'], /bad\.json: is no JSON; correct it: /],
      [['table', 'put', 'x', 'none.json'], /none\.json/],
      [['table', 'put', 'x'], /name a file, or give the JSON/],
      [
        ['table', 'get', 'machines', '/nope'],
        /^strata: table machines: nothing is at "\/nope"; `strata table get` without a pointer shows the whole table$/,
      ],
      [['tool', 'create', 'a', '--table', 'none'], /^strata: table none: there is none/],
      [
        ['tool', 'create', 'a', '--table', 'machines', '--path', '$[?@.x]'],
        /filters \("\?"\) are not supported/,
      ],
      [['tool', 'create', 'a', '--table', 'machines', '--pointer', '/nope'], /nothing is at "\/nope"/],
      [['tool', 'create', 'a b', '--table', 'machines'], /a name is letters/],
      [['tool', 'call', 'none', 'x'], /^strata: tool none: there is none/],
    ];
    for (const [args, line] of wrong) {
      const { code, stderr } = await here.strata(...args);
      expect(code).toBeGreaterThan(0);
      expect(stderr.trim()).toMatch(line);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    expect((await here.strata('tool', 'list', '--json')).json()).toEqual({ tools: [] });
  }, 60_000);

  it('S3.2 turbopuffer without its key is said in one line, and the tool works all the same', async () => {
    const here = folder({ 'rows.json': JSON.stringify({ rows }) });
    await here.strata('table', 'put', 'machines', 'rows.json');
    const create = ['tool', 'create', 'ask', '--table', 'machines', '--vectors', 'turbopuffer:kb'];
    const { code, stderr } = await here.strata(...create);
    expect(code).toBe(1);
    expect(stderr).toContain('strata: turbopuffer: set TURBOPUFFER_API_KEY to your key');
    expect((await here.strata('tool', 'call', 'ask', 'subject3')).stdout).toContain('machines#/rows/3/a~1b');
  }, 60_000);
});

interface Answer {
  readonly results: readonly { readonly chunk: { readonly json_pointer: string } }[];
  readonly notices: readonly string[];
}

describe('a tool over HTTP whose vectors were left for later', () => {
  const TOKEN = 'writer-token-0123456789';
  const MODEL = 'openai:small-24';

  it.each(['no model', 'no vectors', 'vectors of other documents'])(
    'S3.5 answers by words and says so, with %s',
    async (state) => {
      const { env } = await embeddingService();
      const here = folder({ 'a.md': '# Zebras\n\nA zebra has stripes.\n', tokens: `${TOKEN} bob write` });
      chmodSync(join(here.path, 'tokens'), 0o600);
      if (state === 'vectors of other documents')
        await here.run(['add', 'a.md', '--embedder', MODEL], { env });
      const model = state === 'no model' ? {} : { embedder: MODEL, env };
      const flags = ['--allow-write', '--token-file', 'tokens'];
      const server = await serveLibrary(here.path, flags, [], model);
      onTestFinished(() => server.stop());
      const post = async <T>(name: string, body: unknown): Promise<T> => {
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
        const asked = { method: 'POST', headers, body: JSON.stringify(body) };
        const response = await fetch(`${server.url}/api/v1/${name}`, asked);
        expect(response.status).toBe(200);
        return (await response.json()) as T;
      };
      await post('table-put', { table_id: 'machines', content: JSON.stringify(rows), embed: false });
      for (const mode of ['vector', 'hybrid']) {
        await post('tool-create', { name: mode, table_id: 'machines', mode, embed: false });
        const { results, notices } = await post<Answer>('tool-call', { name: mode, query: 'subject3' });
        expect([mode, results[0]?.chunk.json_pointer]).toEqual([mode, '/3/a~1b']);
        // A hybrid tool makes the vectors it needs for the question, where it has a model.
        expect(notices[0]).toMatch(/^(Searched by words only: |Vectors cover \d+ % of the chunks so far )/);
        if (mode === 'vector') expect(notices[0]).toMatch(/^Searched by words only: /);
      }
    },
    60_000,
  );
});
