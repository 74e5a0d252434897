/** A text under NFKC, and where each of its units stood in the original: `at[i]`, with the original's length last. */
export interface NormalText {
  readonly text: string;
  /** null: the same offsets. */
  readonly at: Uint32Array | null;
}

const NON_ASCII = /[^\x00-\x7f]/;
// Full-width ASCII is all over Chinese text and keeps its place: done first, most Chinese needs no offset table.
const FULL_WIDTH = /[\uff01-\uff5e\u3000]/g;
const narrow = (char: string): string =>
  char === '\u3000' ? ' ' : String.fromCharCode(char.charCodeAt(0) - 0xfee0);

/** NFKC without offsets, for the index. Equals `normalise(text).text`. */
export function normalText(text: string): string {
  if (!NON_ASCII.test(text)) return text;
  return text.replace(FULL_WIDTH, narrow).normalize('NFKC');
}

/** NFKC with offsets, for highlights. */
export function normalise(text: string): NormalText {
  if (!NON_ASCII.test(text)) return { text, at: null };
  const narrowed = text.replace(FULL_WIDTH, narrow);
  const whole = narrowed.normalize('NFKC');
  return whole === narrowed ? { text: whole, at: null } : { text: whole, at: align(narrowed, whole) };
}

// What must stay together: a base with its marks, and Hangul letters that join to a syllable.
const CLUSTER =
  /[\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff\u3131-\u318e\uffa0-\uffdc]+\p{M}*|[\s\S]\p{M}*|\p{M}+/gu;

/** Normalises cluster by cluster; where that does not give the whole's own text, the offsets become coarse, never wrong. */
function align(text: string, whole: string): Uint32Array {
  const at = new Uint32Array(whole.length + 1);
  let made = 0;
  for (const cluster of text.matchAll(CLUSTER)) {
    const piece = cluster[0].normalize('NFKC');
    if (!whole.startsWith(piece, made)) break;
    for (let unit = 0; unit < piece.length; unit++) {
      // Units of an unchanged cluster map one to one; those of a changed one to its start.
      at[made + unit] = piece === cluster[0] ? cluster.index + unit : cluster.index;
    }
    made += piece.length;
    if (made === whole.length) break;
  }
  for (let rest = made; rest < whole.length; rest++) at[rest] = at[Math.max(0, made - 1)]!;
  at[whole.length] = text.length;
  return at;
}
