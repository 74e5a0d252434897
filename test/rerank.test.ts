import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folder, guide } from './strata.js';

interface Asked {
  readonly authorization: string | undefined;
  readonly query: string;
  readonly documents: readonly string[];
}

/** A reranker that likes passages about onions. */
async function service(): Promise<{ readonly url: string; readonly asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const { query, documents } = JSON.parse(body) as Asked;
    asked.push({ authorization: request.headers.authorization, query, documents });
    const results = documents.map((text, index) => ({
      index,
      relevance_score: /onions/i.test(text) ? 1 : 0,
    }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rerank`, asked };
}

const kitchen = async () => {
  const here = folder({ 'cooking.md': guide('Cooking', 'Boiling pasta', 'Frying onions') });
  await here.strata('add', '--strategy', 'h2', '.');
  return here;
};

describe('a reranker from the command line', () => {
  it('B17 --rerank orders the best passages, --explain shows it, and without it nobody is asked', async () => {
    const here = await kitchen();
    const { url, asked } = await service();
    const key = { env: { STRATA_RERANK_KEY: 'secret-of-the-user' } };
    const read = await here.run(['search', 'pasta point', '--explain', '--rerank', url], key);
    expect(read.code).toBe(0);
    expect(read.stdout).toMatch(/^1\. Cooking › Frying onions/);
    expect(read.stdout).toMatch(/rerank: rank 1, score 1\.0000/);
    expect(read.stderr).toContain('are sent to 127.0.0.1');
    expect(read.stdout + read.stderr).not.toContain('secret-of-the-user');
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ authorization: 'Bearer secret-of-the-user', query: 'pasta point' });
    const plain = await here.run(['search', 'pasta point', '--explain'], key);
    expect(plain.stdout).toMatch(/^1\. Cooking › Boiling pasta/);
    expect(plain.stdout).not.toContain('rerank');
    expect(asked).toHaveLength(1);
    const byEnvironment = { env: { STRATA_RERANK: url } };
    expect((await here.run(['search', 'pasta point'], byEnvironment)).stdout).toContain(
      '1. Cooking › Frying',
    );
    const off = await here.run(['search', 'pasta point', '--rerank', 'none'], byEnvironment);
    expect(off.stdout).toContain('1. Cooking › Boiling');
    expect(asked).toHaveLength(2);
  });

  it('B17 one that is not there costs no answer; one that cannot be read is named', async () => {
    const here = await kitchen();
    const gone = await here.strata('search', 'pasta point', '--rerank', 'http://127.0.0.1:9/rerank');
    expect(gone.stdout).toContain('1. Cooking › Boiling pasta');
    expect(gone.stdout + gone.stderr).toContain('Ranked without the reranker: ');
    const wrong = await here.strata('search', 'pasta', '--rerank', 'jina');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/The reranker "jina" cannot be read: use local:FOLDER/);
  });

  it('B17 a project cannot name one', async () => {
    const here = await kitchen();
    const { url, asked } = await service();
    here.write({ 'strata.config.json': JSON.stringify({ rerank: url }) });
    const { code, stderr } = await here.strata('search', 'pasta');
    expect(code).not.toBe(0);
    expect(stderr).toContain('"rerank" is not known');
    expect(asked).toEqual([]);
  });
});
