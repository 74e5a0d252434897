/** In milliseconds: a search takes about as long, so that whoever else calls waits no longer than for one. */
const LONGEST = 10;

let line: Promise<void> = Promise.resolve();
let since = 0;

/**
 * Resolves when everything else that waits for this process (connections, answers) has been looked at. Of several who
 * ask for a turn, one gets it each time: `setImmediate` alone would let all of them go on at once.
 */
export function nextTurn(): Promise<void> {
  line = line.then(
    () =>
      new Promise((resolve) => {
        setImmediate(() => {
          since = performance.now();
          resolve();
        });
      }),
  );
  return line;
}

/** For long work, between its parts: waits for the next turn when this one has lasted long enough. */
export const pause = (): Promise<void> | undefined =>
  performance.now() - since < LONGEST ? undefined : nextTurn();
