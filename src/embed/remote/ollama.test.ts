import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RemotePatience } from './ask-service.js';
import { isThisMachine, ollamaEmbedder, ollamaUrl } from './ollama.js';
import { type Answer, hang, json, type Service, startService, vectorOf } from './service.suite.js';

const QUICK: RemotePatience = { attempts: 3, firstWaitMs: 1, timeoutMs: 300, longestWaitMs: 1_000 };
const TAGS = {
  models: [
    { name: 'nomic-embed-text:latest', digest: '0a109f422b47aa' },
    { name: 'e5-small:1', digest: 'ff' },
  ],
};

const embeds: Answer = (asked, response) =>
  json({ embeddings: asked.body.input!.map((text) => vectorOf(text, 5)) })(asked, response);
const good: Answer = (asked, response) => (asked.path === '/api/tags' ? json(TAGS) : embeds)(asked, response);

describe('the ollama embedder', () => {
  let service: Service;
  beforeEach(async () => {
    service = await startService();
    service.answer(good);
  });
  afterEach(() => service.close());
  const open = (model?: string) =>
    ollamaEmbedder(
      { kind: 'ollama', ...(model ? { model } : {}) },
      { env: { OLLAMA_HOST: service.url.replace('http://', '') }, patience: QUICK },
    );

  it('finds the model by its name and names the weights in its fingerprint', async () => {
    const embedder = await open();
    expect(embedder).toMatchObject({ dimensions: 5, fingerprint: 'ollama:nomic-embed-text:5:0a109f422b47' });
    const [vector] = await embedder.embed(['hello'], 'passage');
    expect(Math.hypot(...vector!)).toBeCloseTo(1, 5);
    expect(service.asked.at(-1)).toMatchObject({
      path: '/api/embed',
      body: { model: 'nomic-embed-text', input: ['search_document: hello'] },
    });
    await (await open('e5-small:1')).embed(['hello'], 'query');
    expect(service.asked.at(-1)!.body.input).toEqual(['query: hello']);
  });

  it('says what to do where there is no model or no server', async () => {
    await expect(open('missing')).rejects.toMatchObject({
      code: 'EMBEDDER_UNAVAILABLE',
      message: expect.stringMatching(/ollama pull missing/),
    });
    await service.close();
    await expect(open()).rejects.toMatchObject({
      code: 'EMBEDDER_UNAVAILABLE',
      message: expect.stringMatching(/cannot be reached/),
    });
  });

  it('refuses wrong answers, and tries again after a fault', async () => {
    const embedder = await open();
    service.answer(json({}, 500), hang, good);
    expect(await embedder.embed(['a'], 'passage')).toHaveLength(1);
    for (const [answer, reason] of [
      [json({ embeddings: [[1, 2, 3]] }), /3 dimensions instead of 5/],
      [json({ embeddings: [[1, 2, 3, null, 5]] }), /value 3 is null/],
      [json({ embeddings: [] }), /0 vectors for 1 texts/],
      [json({ embedding: [1, 2, 3, 4, 5] }), /no embeddings/],
      [json(null), /no embeddings/],
    ] as const) {
      service.answer(answer);
      await expect(embedder.embed(['a'], 'passage')).rejects.toMatchObject({
        code: 'EMBEDDER_FAILED',
        message: expect.stringMatching(reason),
      });
    }
  });

  it('B15 takes only this machine for this machine', () => {
    for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]'])
      expect(isThisMachine(host)).toBe(true);
    for (const host of ['localhost.evil.example', '127.evil.example', '127.0.0.1.nip.io', '[::2]', 'box'])
      expect(isThisMachine(host)).toBe(false);
  });

  it('reads OLLAMA_HOST as Ollama does', () => {
    expect(ollamaUrl('127.0.0.1:11434')).toBe('http://127.0.0.1:11434');
    expect(ollamaUrl('box')).toBe('http://box:11434');
    expect(ollamaUrl(':8080')).toBe('http://127.0.0.1:8080');
    expect(ollamaUrl('0.0.0.0')).toBe('http://127.0.0.1:11434');
    expect(ollamaUrl('https://example.com/ollama/')).toBe('https://example.com/ollama');
    expect(ollamaUrl('http://example.com:99')).toBe('http://example.com:99');
    expect(() => ollamaUrl('http://')).toThrow(/OLLAMA_HOST/);
  });
});
