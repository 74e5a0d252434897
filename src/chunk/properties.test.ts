import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseText } from '../parse/decode.js';
import { markdownStructure } from '../parse/markdown/markdown.js';
import { textTree } from '../parse/text.js';
import { chunkDocument } from './chunk.js';
import { markdownDocuments } from './documents.suite.js';
import { expectPromises, expectWholeGraphemes } from './promises.suite.js';
import { chunkSettings, STRATEGIES } from './settings.js';

const sizes = fc.oneof(
  fc.constant({}),
  fc.integer({ min: 1, max: 300 }).chain((max) =>
    fc.record({
      max: fc.constant(max),
      min: fc.integer({ min: 0, max }),
      overlap: fc.double({ min: 0, max: 0.5, noNaN: true }),
    }),
  ),
);

describe.each(STRATEGIES)('promises of %s on random documents', (strategy) => {
  it('S4.3 every chunk is a slice, all text is covered, sizes hold, blocks stay whole, paths are full', () => {
    fc.assert(
      fc.property(markdownDocuments, sizes, (source, options) => {
        const text = normaliseText(source);
        const settings = chunkSettings(strategy === 'h2' ? { strategy } : { strategy, ...options });
        const tree = markdownStructure(text);
        const { chunks } = chunkDocument(tree, { doc_id: 'd', title: 'T', source: 's', settings });
        expectPromises(tree, chunks, settings);
        expectWholeGraphemes(text, chunks);
      }),
      { numRuns: 500 },
    );
  });

  it('the same promises on plain text', () => {
    fc.assert(
      fc.property(markdownDocuments, (source) => {
        const tree = textTree(normaliseText(source));
        const settings = chunkSettings({ strategy });
        expectPromises(
          tree,
          chunkDocument(tree, { doc_id: 'd', title: 'T', source: 's', settings }).chunks,
          settings,
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe('chunks', () => {
  it('are the same every time, and for every id of the document but for their own ids', () => {
    fc.assert(
      fc.property(markdownDocuments, (source) => {
        const tree = markdownStructure(normaliseText(source));
        const settings = chunkSettings();
        const one = chunkDocument(tree, { doc_id: 'a', title: 'T', source: 's', settings });
        const two = chunkDocument(tree, { doc_id: 'b', title: 'T', source: 's', settings });
        expect(chunkDocument(tree, { doc_id: 'a', title: 'T', source: 's', settings }).chunks).toEqual(
          one.chunks,
        );
        expect(two.chunks.map(({ hash }) => hash)).toEqual(one.chunks.map(({ hash }) => hash));
      }),
      { numRuns: 40 },
    );
  });
});
