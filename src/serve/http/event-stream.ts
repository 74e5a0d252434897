import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Library } from '../../engine/library.js';
import { isStrataError } from '../../model/errors.js';
import type { Progress } from '../../model/progress.js';
import type { Caller, Served } from './served.js';

/** Progress as often as a person can read it. */
const PROGRESS_MS = 100;
const LOOK_MS = 1000;
const ALIVE_MS = 15_000;

/** An operation whose caller wants to see how far it is: `progress` events, then one `answer` or `error`. */
export function streamOperation(
  c: Context,
  operation: Served,
  {
    given,
    principal,
    address,
    log,
  }: Pick<Caller, 'principal' | 'address'> & {
    readonly given: Readonly<Record<string, unknown>>;
    readonly log: (line: string) => void;
  },
): Response {
  return streamSSE(c, async (stream) => {
    const stopped = new AbortController();
    stream.onAbort(() => stopped.abort());
    let last = 0;
    const progress = (state: Progress): void => {
      if (performance.now() - last < PROGRESS_MS) return;
      last = performance.now();
      void stream.writeSSE({ event: 'progress', data: JSON.stringify(state) });
    };
    try {
      const answer = await operation.run(given, { principal, address, signal: stopped.signal, progress });
      await stream.writeSSE({ event: 'answer', data: JSON.stringify(answer) });
    } catch (error) {
      const known = isStrataError(error);
      if (!known) log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      const message = known ? error.message : 'something went wrong in Strata; its log has the details';
      const code = known ? error.code : 'INTERNAL';
      await stream.writeSSE({ event: 'error', data: JSON.stringify({ error: { code, message } }) });
    }
  });
}

/** What changes while somebody looks: how many documents and passages there are, and how many have a vector. */
export function streamChanges(c: Context, library: () => Promise<Library>): Response {
  return streamSSE(c, async (stream) => {
    let open = true;
    stream.onAbort(() => {
      open = false;
    });
    let last = '';
    let written = 0;
    while (open) {
      const now = await stateOf(library);
      const data = JSON.stringify(now);
      if (data !== last) {
        last = data;
        written = performance.now();
        await stream.writeSSE({ event: 'library', data });
      } else if (performance.now() - written > ALIVE_MS) {
        written = performance.now();
        await stream.writeSSE({ event: 'alive', data: '{}' });
      }
      await stream.sleep(LOOK_MS);
    }
  });
}

async function stateOf(library: () => Promise<Library>): Promise<object> {
  try {
    const { documents, chunks, generation, vectors } = await (await library()).status();
    return { documents, chunks, generation, vectors };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
