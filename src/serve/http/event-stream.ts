import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { Library } from '../../engine/library.js';
import { isStrataError } from '../../model/errors.js';
import type { Progress } from '../../model/progress.js';
import type { Principal } from '../../tools/access/principal.js';
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

/** A person has a few tabs open. Whoever opens more only holds the server's sockets. */
const MOST_STREAMS = 100;
const streams = new Map<string, number>();

/** What changes while somebody looks: how many documents and passages there are, and how many have a vector. */
export function streamChanges(c: Context, library: () => Promise<Library>, principal: Principal): Response {
  const open = streams.get(principal.key) ?? 0;
  if (open >= MOST_STREAMS) {
    const message = `this key listens ${MOST_STREAMS} times already; close some of them`;
    return c.json({ error: { code: 'LIMIT', message } }, 429, { 'retry-after': '5' });
  }
  streams.set(principal.key, open + 1);
  return streamSSE(c, async (stream) => {
    let isOpen = true;
    stream.onAbort(() => {
      isOpen = false;
    });
    try {
      await tellChanges(stream, library, () => isOpen);
    } finally {
      const left = streams.get(principal.key)! - 1;
      if (left > 0) streams.set(principal.key, left);
      else streams.delete(principal.key);
    }
  });
}

async function tellChanges(
  stream: SSEStreamingApi,
  library: () => Promise<Library>,
  isOpen: () => boolean,
): Promise<void> {
  let last = '';
  let written = 0;
  while (isOpen()) {
    const data = await latest(library);
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
}

/** One look serves everybody who listens: a hundred tabs must not cost a hundred. */
const looks = new WeakMap<
  () => Promise<Library>,
  { readonly until: number; readonly data: Promise<string> }
>();

function latest(library: () => Promise<Library>): Promise<string> {
  const known = looks.get(library);
  if (known !== undefined && performance.now() < known.until) return known.data;
  const data = stateOf(library).then((state) => JSON.stringify(state));
  looks.set(library, { until: performance.now() + LOOK_MS / 2, data });
  return data;
}

async function stateOf(library: () => Promise<Library>): Promise<object> {
  try {
    const { documents, chunks, generation, vectors } = await (await library()).status();
    return { documents, chunks, generation, vectors };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
