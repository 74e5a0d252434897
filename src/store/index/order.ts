/**
 * Order by code points, as UTF-8 bytes and SQL's binary collation have it. JavaScript's own `<` goes by UTF-16 units
 * and puts emoji before full-width letters.
 */
export function byCodePoint(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return lifted(x) - lifted(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above every other unit. */
const lifted = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** Best first; equal scores by id, so that the same library gives the same answer in every driver. */
export const byScore = (a: Scored, b: Scored): number => b.score - a.score || (a.id < b.id ? -1 : 1);

interface Scored {
  readonly id: string;
  readonly score: number;
}
