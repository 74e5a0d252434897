import fc from 'fast-check';
import { describe, it } from 'vitest';
import { normaliseText } from '../parse/decode.js';
import { markdownStructure } from '../parse/markdown/markdown.js';
import { chunkDocument } from './chunk.js';
import { markdownDocuments } from './documents.suite.js';
import { HOSTILE } from './hostile.suite.js';
import { expectPromises, expectWholeGraphemes } from './promises.suite.js';
import { chunkSettings, STRATEGIES } from './settings.js';

describe.each(STRATEGIES)('promises of %s', (strategy) => {
  it('S4.3 hold on 10,000 random documents', () => {
    fc.assert(
      fc.property(markdownDocuments, fc.integer({ min: 60, max: 2000 }), (source, max) => {
        const text = normaliseText(source);
        const settings = chunkSettings(strategy === 'h2' ? { strategy } : { strategy, max });
        const tree = markdownStructure(text);
        const { chunks } = chunkDocument(tree, { doc_id: 'd', title: 'T', source: 's', settings });
        expectPromises(tree, chunks, settings);
        expectWholeGraphemes(text, chunks);
      }),
      { numRuns: 10_000 },
    );
  });

  it.each(Object.keys(HOSTILE).filter((name) => strategy === 'hierarchical' || !name.startsWith('50 MB')))(
    'S4.3 hold on %s',
    (name) => {
      const tree = markdownStructure(HOSTILE[name]!());
      const settings = chunkSettings({ strategy });
      expectPromises(
        tree,
        chunkDocument(tree, { doc_id: 'd', title: 'T', source: 's', settings }).chunks,
        settings,
      );
    },
  );
});
