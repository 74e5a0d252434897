/** A character as the network saw it. */
export interface ReadCharacter {
  readonly text: string;
  /** Where on the line it was seen, 0 (its beginning) to 1. */
  readonly at: number;
  /** Its probability. */
  readonly confidence: number;
}

/**
 * A recogniser's answer as text (CTC): the likeliest class of each step, where repeats are one character and class 0 is
 * the pause that parts two equal ones.
 */
export function readCharacters(
  probabilities: Float32Array,
  steps: number,
  alphabet: readonly string[],
): ReadCharacter[] {
  const classes = steps === 0 ? 0 : probabilities.length / steps;
  const out: ReadCharacter[] = [];
  let before = 0;
  let [first, last, best] = [0, 0, 0];
  const flush = (): void => {
    const text = alphabet[before] ?? '';
    if (before > 0 && text !== '') out.push({ text, at: (first + last + 1) / 2 / steps, confidence: best });
  };
  for (let step = 0; step < steps; step++) {
    const from = step * classes;
    let top = 0;
    for (let index = 1; index < classes; index++) {
      if (probabilities[from + index]! > probabilities[from + top]!) top = index;
    }
    const probability = probabilities[from + top]!;
    if (top === before) {
      last = step;
      best = Math.max(best, probability);
      continue;
    }
    flush();
    [before, first, last, best] = [top, step, step, probability];
  }
  flush();
  return out;
}

/** The mean over the characters; 0 for none. */
export const confidenceOf = (characters: readonly ReadCharacter[]): number =>
  characters.length === 0
    ? 0
    : characters.reduce((sum, { confidence }) => sum + confidence, 0) / characters.length;
