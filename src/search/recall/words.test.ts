import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sharesTogether } from './words.js';

const worths = new Map([
  ['backup', 2],
  ['schedul', 1],
  ['备份', 1],
]);
const terms = [...worths].map(([term, weight]) => ({ term, weight }));
const share = sharesTogether(terms, worths);
const filler = 'Nothing of this is asked about, and it goes on for a while so that a part is full. '.repeat(
  7,
);

describe('words that stand together', () => {
  it('S4.7 the best part counts, not the whole passage', () => {
    expect(share('Backups are scheduled at night. 每晚备份。')).toBe(1);
    expect(share(`A backup is a copy.\n${filler}\nIt is scheduled.`)).toBe(0.5);
    expect(share(filler)).toBe(0);
    expect(sharesTogether([], new Map())('A backup')).toBe(0);
  });

  it('S4.7 it is a share, and never less for a part alone than for nothing', () => {
    const piece = fc.constantFrom('backup. ', 'scheduled\n', '备份。', 'other words here. ', '備份', filler);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const found = share(pieces.join(''));
        expect(found).toBeGreaterThanOrEqual(0);
        expect(found).toBeLessThanOrEqual(1);
        expect(found > 0).toBe(pieces.some((text) => !['other words here. ', filler].includes(text)));
      }),
    );
  });
});
