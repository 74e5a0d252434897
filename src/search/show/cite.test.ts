import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { citation, formatRef, parseCitation } from './cite.js';

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const ref = fc.record({
  doc_id: fc.uuid(),
  chunk_id: fc.uuid(),
  start_position: fc.nat(),
  end_position: fc.nat(),
  hash_prefix: fc.oneof(hex(16), hex(64)),
});

describe('citations', () => {
  it('parses back what it writes, wherever it stands in a line', () => {
    fc.assert(
      fc.property(ref, fc.string(), (written, around) => {
        const before = around.replaceAll('strata:', '');
        expect(parseCitation(`${before} [${formatRef(written)}]`)).toMatchObject(written);
      }),
    );
  });

  it('is one line for people that holds one reference, whatever the titles say', () => {
    fc.assert(
      fc.property(ref, fc.array(fc.string()), fc.string({ unit: 'grapheme' }), (r, titles, path) => {
        const cited = citation(
          { id: r.doc_id, source_path: path, title: path },
          {
            id: r.chunk_id,
            content: '',
            doc_id: r.doc_id,
            title_path: [...titles, 'strata:a/b#1-2@0123456789abcdef'],
            loc: { lines: { from: 3, to: 9 } },
            start_position: r.start_position,
            end_position: r.end_position,
            hash: r.hash_prefix.padEnd(64, '0'),
          },
        );
        expect(cited.ref).not.toMatch(/[\n\r]/);
        expect(parseCitation(cited.ref)).toMatchObject({ ...r, hash_prefix: r.hash_prefix.slice(0, 16) });
        expect(cited.ref).toContain('(lines 3–9)');
      }),
    );
  });

  it('a text without a reference is no citation; one with titles says which heading it stood under', () => {
    expect(parseCitation('see page 3')).toBeNull();
    const line = `a.md › Guide › Backups (lines 3–9) [strata:d/c#0-5@${'0'.repeat(16)}]`;
    expect(parseCitation(line)).toMatchObject({ doc_id: 'd', heading: 'Backups' });
  });
});
