import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkSettings } from '../../chunk/settings.js';
import { StrataError } from '../../model/errors.js';
import { sha256 } from '../../model/hash.js';
import { mintId } from '../../model/id.js';
import { indexedBody, indexedPrefix } from '../../model/indexed.js';
import { parseDocument } from '../../parse/parse.js';
import { DEFAULT_LIMITS } from '../../parse/parser.js';
import { memoryBackend } from '../../store/memory/memory.js';
import { parseQuery } from '../../text/query.js';
import { recordsOrWhole } from './cut-fallback.js';
import { structureOrText } from './parse-fallback.js';
import { type PrepareRequest, prepare as prepareTree } from './prepare.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Texts of any kind that a file may hold, blank ones among them. */
const someText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: fc.constantFrom(...'ab字文é😀 \t\r\n.。') }),
);

const request = (name: string, more: Partial<PrepareRequest> = {}): PrepareRequest => ({
  doc_id: mintId(),
  source: `file:${name}`,
  source_path: name,
  name,
  settings: chunkSettings(),
  updated_at: '2026-01-01T00:00:00.000Z',
  metadata: {},
  ...more,
});

/** From bytes, with all records read. */
async function prepare(bytes: Uint8Array, asked: PrepareRequest, parse?: typeof parseDocument) {
  const tree = await structureOrText({ bytes, name: asked.name, limits: DEFAULT_LIMITS }, parse);
  const { write, warnings } = prepareTree(tree, asked);
  return { write: { ...write, chunks: [...write.chunks], sections: [...write.sections] }, warnings };
}

describe('prepare', () => {
  it('gives a document with all that belongs to it', async () => {
    const text = '---\ntags: [one, two]\n---\n# 部署\n\n## Nginx\n\n配置 CORS。\n';
    const { write, warnings } = await prepare(
      bytes(text),
      request('guide.md', { metadata: { added_tags: ['two', 'three'], size: 1 } }),
    );
    expect(warnings).toEqual([]);
    expect(write.document).toMatchObject({
      title: '部署',
      is_parent: true,
      source_path: 'guide.md',
      chunk_count: write.chunks.length,
    });
    expect(write.document.metadata).toMatchObject({
      format: 'markdown',
      size: 1,
      tags: ['one', 'two', 'three'],
    });
    expect(write.content.text).toBe(text);
    for (const { chunk, embed_key, words } of write.chunks) {
      expect(write.content.text.slice(chunk.start_position, chunk.end_position)).toBe(chunk.content);
      expect(embed_key).toBe(sha256(indexedPrefix(chunk) + indexedBody(chunk)));
      expect(words.terms.length).toBeGreaterThan(0);
    }
  });

  it('S0.3 the title is the first H1, else the file name without its extension', async () => {
    expect((await prepare(bytes('# One\n# Two\n'), request('x.md'))).write.document.title).toBe('One');
    expect((await prepare(bytes('no heading'), request('my.notes.md'))).write.document.title).toBe(
      'my.notes',
    );
    expect((await prepare(bytes('# One\n'), request('x.md', { title: 'Mine' }))).write.document.title).toBe(
      'Mine',
    );
  });

  it('is the same every time for the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 400 }), async (text) => {
        const asked = request('a.md');
        expect(await prepare(bytes(text), asked)).toEqual(await prepare(bytes(text), asked));
      }),
      { numRuns: 50 },
    );
  });

  it('S0.5 a document is found by the words of its own title and of its summary', async () => {
    const text = '# 部署手册\n\nThe lighthouse keeper writes every evening.\n';
    const { write } = await prepare(bytes(text), request('guide.md'));
    const backend = memoryBackend();
    await backend.commit({ put: [write] });
    for (const query of ['手册', 'lighthouse']) {
      const { terms } = parseQuery(query);
      const found = await backend.words.match({ terms, k: 5, kind: 'document', scorer: 'bm25' });
      expect(found.map(({ id }) => id)).toEqual([write.document.id]);
    }
  });

  it('S2.4 a failure in cutting keeps the whole text as one chunk, and says so', async () => {
    await fc.assert(
      fc.asyncProperty(someText, async (text) => {
        const tree = await parseDocument({
          bytes: bytes(text),
          name: 'a.txt',
          limits: { expanded: 1e9, pages: 1e4, nesting: 1e3 },
        });
        const fail = (): never => {
          throw new Error('a defect in the chunker');
        };
        const asked = { doc_id: mintId(), title: 'T', source: 'a.txt', settings: chunkSettings() };
        const cut = recordsOrWhole(tree, asked, fail);
        const chunks = [...cut.chunks];
        expect(cut.chunk_count).toBe(chunks.length);
        expect(cut.warnings).toEqual([expect.stringContaining('a defect in the chunker')]);
        if (tree.text.trim() === '') {
          expect(chunks).toEqual([]);
          return;
        }
        expect(chunks).toHaveLength(1);
        expect(chunks[0]).toMatchObject({
          content: tree.text,
          start_position: 0,
          end_position: tree.text.length,
          chunk_index: 0,
        });
      }),
      { numRuns: 50 },
    );
  });

  it('S2.4 broken structure falls back to text; what is no text, encrypted or too large is reported', async () => {
    const failing = (error: Error) => async (): Promise<never> => {
      throw error;
    };
    const text = 'key: [unclosed\nBut the words are there.\n';
    const { write, warnings } = await prepare(
      bytes(text),
      request('a.yaml'),
      failing(new StrataError('CORRUPT', 'no YAML')),
    );
    expect(write.content.text).toBe(text);
    expect(write.chunks.length).toBeGreaterThan(0);
    expect(warnings).toEqual([expect.stringContaining('read as text')]);
    for (const name of ['a.pdf', 'a.docx', 'a.json']) {
      const empty = await prepare(bytes(''), request(name));
      expect(empty).toMatchObject({ warnings: ['the file is empty'], write: { chunks: [] } });
    }
    const defect = await prepare(
      bytes(text),
      request('a.yaml'),
      failing(new TypeError('undefined is not a function')),
    );
    expect(defect.write.chunks.length).toBeGreaterThan(0);
    for (const code of ['ENCRYPTED', 'NEEDS_OCR', 'LIMIT', 'BINARY', 'ABORTED'] as const) {
      await expect(
        prepare(bytes(text), request('a.pdf'), failing(new StrataError(code, 'no'))),
      ).rejects.toMatchObject({ code });
    }
    const pdf = failing(new StrataError('CORRUPT', 'a broken PDF'));
    await expect(prepare(bytes('%PDF-1.7 ascii only'), request('a.pdf'), pdf)).rejects.toMatchObject({
      code: 'CORRUPT',
    });
  });
});
