import { libraryEvents, Problem } from './api.js';
import { needsKey, token } from './session.js';
import { store } from './store.js';

/** The library as it is now, told by the server whenever it changes. */
export interface LiveLibrary {
  readonly documents: number;
  readonly chunks: number;
  readonly generation: number;
  readonly vectors: {
    readonly model: string | null;
    readonly dimensions: number;
    readonly embedded: number;
    readonly pending: number;
    readonly reason?: string;
  };
}

export const live = store<LiveLibrary | null>(null);
/** Whether the server answers; views ask again when it is back. */
export const online = store(true);
/** Such as a library that cannot be opened. */
export const trouble = store<string | null>(null);

const FIRST_WAIT = 500;
const LONGEST_WAIT = 5000;

/** Listens for as long as the page is open: a server that has gone is tried again until it is back. */
export async function listen(): Promise<never> {
  for (let wait = FIRST_WAIT; ; ) {
    try {
      for await (const { event, data } of libraryEvents(new AbortController().signal)) {
        online.set(true);
        wait = FIRST_WAIT;
        if (event !== 'library') continue;
        const { problem } = data as { problem?: string };
        trouble.set(problem ?? null);
        if (problem === undefined) live.set(data as LiveLibrary);
      }
      online.set(false);
    } catch (error) {
      if (needsKey.get() !== 'never') await newKey();
      // A server that has too many listeners answers all the same.
      else if (!(error instanceof Problem) || error.code !== 'TOO_MANY') online.set(false);
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(LONGEST_WAIT, wait * 2);
  }
}

const newKey = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = token.subscribe(() => {
      if (token.get() === null) return;
      stop();
      resolve();
    });
  });
