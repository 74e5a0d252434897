import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeTinyCrossEncoder, writeTinyModel } from '../local/tiny-model.suite.js';
import { json, type Service, startService } from '../remote/service.suite.js';
import { openReranker } from './open.js';
import type { Reranker } from './reranker.js';
import { parseRerankSpec } from './spec.js';

const never = new AbortController().signal;

describe('what a person writes', () => {
  it('B17 a folder, an address with a model, or none', () => {
    expect(parseRerankSpec('local:/models/my reranker')).toEqual({
      kind: 'local',
      folder: '/models/my reranker',
    });
    expect(parseRerankSpec(' none ')).toEqual({ kind: 'none' });
    expect(parseRerankSpec('https://api.example.com/v1/rerank#some%20model')).toEqual({
      kind: 'service',
      url: 'https://api.example.com/v1/rerank',
      model: 'some model',
    });
    expect(parseRerankSpec('http://127.0.0.1:8080/rerank?x=1')).toEqual({
      kind: 'service',
      url: 'http://127.0.0.1:8080/rerank?x=1',
    });
    for (const wrong of ['', 'local', 'local:', 'jina', 'ftp://host/rerank', 'https://']) {
      expect(() => parseRerankSpec(wrong), wrong).toThrow(/The reranker ".*" cannot be read: /);
    }
    expect(() => parseRerankSpec('https://me:secret@host/rerank')).toThrow(
      /^The reranker "https:\/\/host\/rerank" cannot be read: an address holds no key/,
    );
  });
});

describe('a service', () => {
  let service: Service;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.close());
  const open = async (env: NodeJS.ProcessEnv = {}, log?: (line: string) => void): Promise<Reranker> => {
    const spec = parseRerankSpec(`${service.url}/v1/rerank#some-model`);
    return (await openReranker(spec, { env, ...(log && { log }) }))!;
  };

  it('B17 is asked as Jina and Cohere are, with the user\u2019s key, and says once where texts go', async () => {
    const lines: string[] = [];
    const reranker = await open({ STRATA_RERANK_KEY: 'secret-key-of-mine' }, (line) => lines.push(line));
    service.answer(
      json({
        results: [
          { index: 1, relevance_score: 0.9 },
          { index: 0, relevance_score: 0.2 },
        ],
      }),
    );
    expect(await reranker.score('where', ['here', 'there', 'nowhere'], never)).toEqual([0.2, 0.9, null]);
    expect(service.asked).toEqual([
      {
        path: '/v1/rerank',
        authorization: 'Bearer secret-key-of-mine',
        body: { model: 'some-model', query: 'where', documents: ['here', 'there', 'nowhere'] },
      },
    ]);
    expect(lines).toEqual([`Questions and the best passages are sent to ${reranker.id} to be ranked.`]);
    expect(`${reranker.id}`).not.toContain('secret');
  });

  it('B17 text-embeddings-inference calls passages texts and answers with a list; that is remembered', async () => {
    const reranker = await open();
    const answer = json([
      { index: 0, score: -3.5 },
      { index: 1, score: 2 },
    ]);
    service.answer(json({ error: 'missing field `texts`' }, 422), answer);
    expect(await reranker.score('q', ['a', 'b'], never)).toEqual([-3.5, 2]);
    expect(await reranker.score('q', ['a', 'b'], never)).toEqual([-3.5, 2]);
    expect(service.asked.map(({ body }) => Object.keys(body))).toEqual([
      ['model', 'query', 'documents'],
      ['model', 'query', 'texts'],
      ['model', 'query', 'texts'],
    ]);
    expect(service.asked[0]!.authorization).toBeUndefined();
  });

  it('B17 what it answers is checked, and no message shows the key', async () => {
    const reranker = await open({ STRATA_RERANK_KEY: 'secret-key-of-mine' });
    const wrong: [unknown, RegExp][] = [
      [{ data: [] }, /gave a wrong answer: it has no results/],
      [[{ index: 2, score: 1 }], /the index 2 among 2 passages/],
      [[{ index: 0.5, score: 1 }], /the index 0.5 among/],
      [[{ index: 0, score: 'high' }], /a score that is no number/],
      [[null], /the index undefined among/],
    ];
    for (const [answer, message] of wrong) {
      service.answer(json(answer));
      await expect(reranker.score('q', ['a', 'b'], never)).rejects.toThrow(message);
    }
    service.answer(json({ error: { message: 'no such key: secret-key-of-mine' } }, 401));
    const error = await reranker.score('q', ['a', 'b'], never).catch((reason: Error) => reason);
    expect(String(error)).toMatch(/answered 401.*check the key/);
    expect(String(error)).not.toContain('secret-key-of-mine');
  });

  it('B17 what is late is not scored', async () => {
    const reranker = await open();
    service.answer(() => {});
    expect(await reranker.score('q', ['a', 'b'], AbortSignal.timeout(50))).toEqual([null, null]);
  });
});

describe('a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'strata-rerank-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const open = (path: string) => openReranker({ kind: 'local', folder: path });

  it('B17 a cross-encoder reads question and passage together', async () => {
    const reranker = (await open(writeTinyCrossEncoder(folder)))!;
    const long = `${'gamma '.repeat(500)}alpha`;
    const texts = ['alpha beta', 'alpha 部 署', 'gamma', long, ''];
    expect(await reranker.score('alpha 部', texts, never)).toEqual([1, 2, 0, 0, 0]);
    expect(await reranker.score('gamma', texts, never)).toEqual([0, 0, 1, expect.any(Number), 0]);
    const late = AbortSignal.abort();
    expect(await reranker.score('alpha', texts, late)).toEqual([null, null, null, null, null]);
    await reranker.close();
  });

  it('B17 a folder that is none, or holds another kind of model, is named with what is wrong', async () => {
    await expect(open(join(folder, 'nowhere'))).rejects.toThrow(
      /There is no folder .*nowhere: .*model\.onnx/,
    );
    await expect(open(writeTinyModel(folder))).rejects.toThrow(
      /tiny is no cross-encoder: it gives 1 × \d+ × 8/,
    );
  });
});
