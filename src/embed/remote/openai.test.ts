import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RemotePatience } from './ask-service.js';
import { retryAfter } from './ask-service.js';
import { openaiEmbedder } from './openai.js';
import {
  type Answer,
  type Asked,
  cutShort,
  hang,
  hangUp,
  json,
  notJson,
  type Service,
  startService,
  vectorOf,
} from './service.suite.js';

const KEY = 'sk-test-0123456789abcdef';
const QUICK: RemotePatience = { attempts: 4, firstWaitMs: 1, timeoutMs: 300, longestWaitMs: 2_000 };
const DIMENSIONS = 6;

type Item = { index: number; embedding: number[] | string };
const items = (asked: Asked): Item[] =>
  asked.body.input!.map((text, index) => ({ index, embedding: vectorOf(text, DIMENSIONS) }));
const good: Answer = (asked, response) => json({ data: items(asked) })(asked, response);
const changed =
  (change: (data: Item[]) => unknown): Answer =>
  (asked, response) =>
    json({ data: change(items(asked)) })(asked, response);

describe('the openai embedder', () => {
  let service: Service;
  beforeEach(async () => {
    service = await startService();
    service.answer(good);
  });
  afterEach(() => service.close());

  const open = (more: { dimensions?: number; log?: (line: string) => void; is_named?: boolean } = {}) =>
    openaiEmbedder(
      { kind: 'openai', model: 'm', url: `${service.url}/v1/`, dimensions: more.dimensions ?? DIMENSIONS },
      {
        env: { OPENAI_API_KEY: KEY },
        patience: QUICK,
        is_named: more.is_named ?? true,
        ...(more.log ? { log: more.log } : {}),
      },
    );
  const failure = async (...answers: Answer[]): Promise<{ code: string; message: string }> => {
    const embedder = await open();
    service.answer(...answers);
    return embedder.embed(['one', 'two'], 'passage').then(
      () => expect.fail('it gave vectors'),
      (error) => ({ code: error.code, message: `${error.message} ${error.stack} ${JSON.stringify(error)}` }),
    );
  };

  it('B15 sends no key to an address that the user has not set', async () => {
    const embedder = await open({ is_named: false });
    await embedder.embed(['one'], 'passage');
    expect(service.asked[0]!.authorization).toBeUndefined();
  });

  it('B10 says what leaves the machine, and sends model, texts and key as the protocol wants', async () => {
    const said: string[] = [];
    const embedder = await open({ log: (line) => said.push(line) });
    expect(said).toEqual([expect.stringContaining('127.0.0.1')]);
    const vectors = await embedder.embed(['one', '二二'], 'passage');
    expect(service.asked).toHaveLength(1);
    expect(service.asked[0]).toMatchObject({
      path: '/v1/embeddings',
      authorization: `Bearer ${KEY}`,
      body: { model: 'm', input: ['one', '二二'], dimensions: DIMENSIONS },
    });
    for (const [i, text] of ['one', '二二'].entries()) {
      const raw = vectorOf(text, DIMENSIONS);
      const length = Math.hypot(...raw);
      expect([...vectors[i]!]).toEqual(raw.map((value) => expect.closeTo(value / length, 5)));
    }
  });

  it('asks for the dimensions when nobody knows them', async () => {
    const embedder = await openaiEmbedder(
      { kind: 'openai', model: 'm', url: service.url },
      { env: {}, patience: QUICK },
    );
    expect(embedder.dimensions).toBe(DIMENSIONS);
    expect(service.asked[0]).toMatchObject({ authorization: undefined });
    expect(service.asked[0]!.body).not.toHaveProperty('dimensions');
  });

  it('sends bounded batches, and halves one that is refused', async () => {
    const embedder = await open();
    const texts = Array.from({ length: 230 }, (_, i) => `text ${i}`);
    expect(await embedder.embed(texts, 'passage')).toHaveLength(230);
    expect(service.asked.map(({ body }) => body.input!.length)).toEqual([96, 96, 38]);
    service.asked.length = 0;
    service.answer((asked, response) =>
      asked.body.input!.length > 2
        ? json({ error: { message: 'too many' } }, 413)(asked, response)
        : good(asked, response),
    );
    const vectors = await embedder.embed(texts.slice(0, 8), 'passage');
    expect(vectors.map((vector) => vector[0])).toEqual(
      (await Promise.all(texts.slice(0, 8).map((text) => embedder.embed([text], 'passage')))).map(
        ([v]) => v![0],
      ),
    );
    const long = '字'.repeat(50_000);
    await embedder.embed([long, long], 'passage');
    expect(service.asked.at(-1)!.body.input!.every((text) => text.length <= 6000)).toBe(true);
  });

  it('takes base64 and answers in any order', async () => {
    const embedder = await open();
    const expected = await embedder.embed(['one', 'two', 'three'], 'passage');
    service.answer(
      changed((data) =>
        data.reverse().map(({ index, embedding }) => ({
          index,
          embedding: Buffer.from(Float32Array.from(embedding as number[]).buffer).toString('base64'),
        })),
      ),
    );
    const vectors = await embedder.embed(['one', 'two', 'three'], 'passage');
    for (const [i, vector] of vectors.entries()) {
      expect([...vector]).toEqual([...expected[i]!].map((value) => expect.closeTo(value, 5)));
    }
  });

  it('tries again after 429, 5xx, a hang, a cut answer and a lost connection', async () => {
    const embedder = await open();
    for (const fault of [
      json({}, 500),
      json({}, 503),
      json({ error: { message: 'slow down' } }, 429, { 'retry-after': '0' }),
      hang,
      cutShort,
      notJson,
      hangUp,
    ]) {
      service.answer(fault, fault, good);
      expect(await embedder.embed(['one'], 'query')).toHaveLength(1);
    }
  });

  it('waits as long as Retry-After says, and reports one that is too long', async () => {
    const embedder = await open();
    service.answer(json({}, 429, { 'retry-after': '1' }), good);
    const since = performance.now();
    await embedder.embed(['one'], 'query');
    expect(performance.now() - since).toBeGreaterThan(900);
    service.asked.length = 0;
    service.answer(json({}, 429, { 'retry-after': '3600' }));
    await expect(embedder.embed(['one'], 'query')).rejects.toThrow(/429.*wait 3600 s/);
    expect(service.asked).toHaveLength(1);
    expect(retryAfter(new Date(10_000).toUTCString(), 4_000)).toBe(6_000);
    expect(retryAfter('soon')).toBeNull();
  });

  it('gives up after its tries and says what to do', async () => {
    for (const fault of [json({}, 500), hang, notJson, hangUp]) {
      service.asked.length = 0;
      expect(await failure(fault)).toMatchObject({
        code: 'EMBEDDER_UNAVAILABLE',
        message: expect.stringMatching(/4 tries/),
      });
      expect(service.asked).toHaveLength(4);
    }
  });

  it('refuses every wrong answer', async () => {
    const wrong: readonly [Answer, RegExp][] = [
      [
        changed((data) => data.map((item) => ({ ...item, embedding: [1, 2, 3] }))),
        /3 dimensions instead of 6/,
      ],
      [changed((data) => data.slice(1)), /index 1 among 1/],
      [changed((data) => [...data, { ...data[0], index: 2 }]), /3 vectors for 2 texts/],
      [changed((data) => data.map((item) => ({ ...item, index: 0 }))), /index 0 twice/],
      [changed((data) => data.map((item) => ({ ...item, index: item.index + 1 }))), /index 2 among 2/],
      [
        changed((data) => data.map((item) => ({ ...item, embedding: [1, null, 1, 1, 1, 1] }))),
        /value 1 is NaN/,
      ],
      [
        changed((data) => data.map((item) => ({ ...item, embedding: Array(6).fill('NaN') }))),
        /value 0 is NaN/,
      ],
      [changed((data) => data.map((item) => ({ ...item, embedding: Array(6).fill(0) }))), /all zeros/],
      [changed((data) => data.map((item) => ({ ...item, embedding: 'AAAAAAA=' }))), /0 dimensions/],
      [changed((data) => data.map(({ index }) => ({ index }))), /0 dimensions/],
      [json({ object: 'list' }), /no data/],
      [json([]), /no data/],
    ];
    for (const [answer, reason] of wrong) {
      expect(await failure(answer)).toMatchObject({
        code: 'EMBEDDER_FAILED',
        message: expect.stringMatching(reason),
      });
    }
  });

  it('B10 never shows the key, though the service quotes it', async () => {
    const quote = {
      error: { message: `Incorrect API key provided: ${KEY}, sk-proj-other1234. Bearer ${KEY}` },
    };
    for (const status of [400, 401, 403, 404, 429, 500]) {
      const { message } = await failure(json(quote, status));
      expect(message).toContain(String(status));
      expect(message).not.toContain(KEY);
      expect(message).not.toContain('other1234');
    }
    const userinfo = service.url.replace('http://', `http://user:${KEY}@`);
    const error = await openaiEmbedder(
      { kind: 'openai', model: 'm', url: userinfo },
      { env: {}, patience: QUICK },
    ).catch((reason) => reason);
    expect(String(error.message)).not.toContain(KEY);
  });

  it('stops when cancelled', async () => {
    const embedder = await open();
    service.answer(hang);
    const cancel = new AbortController();
    const asked = embedder.embed(['one'], 'passage', cancel.signal);
    setTimeout(() => cancel.abort(), 30);
    await expect(asked).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('says that a key is needed', async () => {
    await expect(openaiEmbedder({ kind: 'openai' }, { env: {} })).rejects.toMatchObject({
      code: 'EMBEDDER_UNAVAILABLE',
      message: expect.stringMatching(/OPENAI_API_KEY/),
    });
  });
});
