import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../text/tokens.js';
import { inspect } from './inspect.js';
import { type ScoutAnswer, scout } from './scout.js';
import { idOf, smallLibrary } from './small-library.suite.js';

const long = (word: string): string =>
  Array.from({ length: 60 }, (_, at) => `${word} paragraph number ${at}.`).join(' ');
const DOCUMENTS = [
  {
    name: 'nginx.md',
    text: `# Nginx guide\n\n## CORS\n\n${long('cors headers')}\n\n## Cache\n\n${long('cache keys')}\n`,
  },
  { name: 'note.md', text: '# CORS note\n\nAllow the origin.\n' },
  { name: '天气.md', text: '# 天气\n\n今天下雨，明天晴。\n' },
];

describe('scout and inspect', () => {
  it('S0.6 scout gives briefs of documents and chunks, without content', async () => {
    const backend = await smallLibrary(DOCUMENTS);
    const { briefs } = await scout({ backend, embedder: null }, { query: 'cors', mode: 'keyword' });
    const documents = briefs.filter(({ is_parent }) => is_parent);
    const chunks = briefs.filter(({ is_parent }) => !is_parent);
    expect(documents.map(({ title }) => title)).toContain('CORS note');
    expect(chunks[0]).toEqual({
      id: expect.any(String),
      parent_id: idOf('nginx.md'),
      title: 'CORS',
      parent_doc_title: 'Nginx guide',
      summary: expect.any(String),
      position: expect.any(Number),
      is_parent: false,
    });
    expect(documents.find(({ id }) => id === idOf('note.md'))).toEqual({
      id: idOf('note.md'),
      title: 'CORS note',
      summary: expect.any(String),
      chunk_count: 1,
      is_parent: true,
    });
  });

  it('S0.6 inspect gives a chunk with its content, title, parent and neighbours', async () => {
    const backend = await smallLibrary(DOCUMENTS);
    const chunks = await backend.chunksOf(idOf('nginx.md'));
    const document = (await backend.document(idOf('nginx.md')))!;
    for (const [at, chunk] of chunks.entries()) {
      const found = await inspect(backend, document, chunk);
      expect(found).toMatchObject({
        is_parent: false,
        content: chunk.content,
        title: chunk.title,
        parent_id: idOf('nginx.md'),
        parent_doc_title: 'Nginx guide',
        previous_id: chunks[at - 1]?.id ?? null,
        next_id: chunks[at + 1]?.id ?? null,
      });
    }
  });

  it('S0.6 inspect gives a document with all its children in order', async () => {
    const backend = await smallLibrary(DOCUMENTS);
    const found = await inspect(backend, (await backend.document(idOf('nginx.md')))!, null);
    if (!found.is_parent) throw new Error('a document was asked for');
    expect(found.children.map(({ content }) => content)).toEqual(
      (await backend.chunksOf(idOf('nginx.md'))).map(({ content }) => content),
    );
    expect(found.children.map(({ chunk_index }) => chunk_index)).toEqual(found.children.map((_, at) => at));
  });

  it('B5 a budget for one brief gives the best that fits, and says what was left out', async () => {
    const backend = await smallLibrary(DOCUMENTS);
    const ask = (max_tokens: number) =>
      scout({ backend, embedder: null }, { query: 'cors', mode: 'keyword', max_tokens });
    const all = await ask(100_000);
    expect(all.left_out).toBeUndefined();
    for (let budget = 40; budget < 400; budget += 20) {
      const { briefs, left_out = 0 } = await ask(budget);
      expect(briefs.length + left_out).toBe(all.briefs.length);
    }
    // The cheapest brief is a document's; a passage names its document too.
    const least = Array.from({ length: 40 }, (_, step) => 40 + 5 * step);
    const first = await Promise.all(least.map(ask)).then((answers) =>
      answers.find(({ briefs }) => briefs.length > 0),
    );
    expect(first!.briefs[0]).toMatchObject({ is_parent: true });
  });

  it('B5 counts the tokens of what the caller writes: a text is shorter than JSON', async () => {
    const backend = await smallLibrary(DOCUMENTS);
    const written = ({ briefs, left_out }: ScoutAnswer): string =>
      `${briefs.map(({ id, title, summary }) => `${title} ${id} ${summary}`).join(' ')} ${left_out}`;
    const ask = { query: 'cors', mode: 'keyword', max_tokens: 60 } as const;
    const none = await scout({ backend, embedder: null }, ask);
    expect(none.briefs).toEqual([]);
    const needed = Number(/needs (\d+) tokens/.exec(none.notices[0]!)![1]);
    const enough = await scout({ backend, embedder: null }, { ...ask, max_tokens: needed });
    expect(enough.briefs).toHaveLength(1);
    const answer = await scout({ backend, embedder: null }, { ...ask, written });
    expect(answer.briefs).toHaveLength(1);
    expect(answer.left_out).toBeGreaterThan(0);
    expect(estimateTokens(written(answer))).toBeLessThanOrEqual(60);
  });

  it('B5 never costs more tokens than the budget, and uses it', async () => {
    const backend = await smallLibrary(DOCUMENTS);
    const ask = (max_tokens?: number) =>
      scout(
        { backend, embedder: null },
        { query: 'cors cache 天气', mode: 'keyword', limit: 0, ...(max_tokens && { max_tokens }) },
      );
    const everything = await ask();
    expect(everything.briefs.length).toBeGreaterThan(3);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 40, max: 3_000 }), async (budget) => {
        const answer = await ask(budget);
        expect(estimateTokens(JSON.stringify(answer, null, 2))).toBeLessThanOrEqual(budget);
        const ids = answer.briefs.map(({ id }) => id);
        expect(ids).toEqual(everything.briefs.slice(0, ids.length).map(({ id }) => id));
      }),
      { numRuns: 60 },
    );
    expect((await ask(400)).briefs.length).toBeGreaterThan(0);
    await expect(ask(-1)).rejects.toThrow(/max_tokens/);
  });
});
