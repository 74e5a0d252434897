/** By how much one way of searching is better than another on the same questions, and how sure that is. */
export interface Difference {
  readonly mean: number;
  /** 95 of 100 draws of as many questions lie between these: where 0 lies outside, it is hardly luck. */
  readonly low: number;
  readonly high: number;
}

const DRAWS = 2_000;

/**
 * The paired bootstrap: the questions' own differences are drawn again and again, with replacement. The draws are the
 * same every time, so that a figure can be repeated.
 */
export function pairedDifference(of: readonly number[], from: readonly number[]): Difference {
  const differences = of.map((value, at) => value - from[at]!);
  const count = differences.length;
  if (count === 0) return { mean: 0, low: 0, high: 0 };
  const random = lehmer();
  const means = new Float64Array(DRAWS);
  for (let draw = 0; draw < DRAWS; draw++) {
    let sum = 0;
    for (let n = 0; n < count; n++) sum += differences[Math.floor(random() * count)]!;
    means[draw] = sum / count;
  }
  means.sort();
  const at = (part: number): number => means[Math.min(DRAWS - 1, Math.floor(part * DRAWS))]!;
  return {
    mean: differences.reduce((sum, value) => sum + value, 0) / count,
    low: at(0.025),
    high: at(0.975),
  };
}

/** Park and Miller's generator: enough for drawing questions, and the same on every machine. */
function lehmer(): () => number {
  let state = 20_261_117;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state - 1) / 2_147_483_646;
  };
}
