import { reasonOf, StrataError } from '../../model/errors.js';

const DEFAULT_HUB = 'https://huggingface.co';
const CONNECT_MS = 15_000;

export const hubAddress = (env: NodeJS.ProcessEnv): string =>
  (env.HF_ENDPOINT || DEFAULT_HUB).replace(/\/+$/, '');

/** A file of a model hub, or of a mirror that speaks like it (`HF_ENDPOINT`). */
export async function hubFile(
  repository: string,
  file: string,
  options: {
    readonly env: NodeJS.ProcessEnv;
    readonly mostBytes: number;
    readonly signal?: AbortSignal;
    onBytes?(done: number): void;
  },
): Promise<Buffer> {
  const base = hubAddress(options.env);
  const stalled = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stalled.signal]) : stalled.signal;
  let timer = setTimeout(() => stalled.abort(), CONNECT_MS);
  try {
    const response = await fetch(`${base}/${repository}/resolve/main/${file}`, {
      signal,
      redirect: 'follow',
    });
    if (!response.ok || response.body === null) throw new Error(`answered ${response.status}`);
    const pieces: Uint8Array[] = [];
    let done = 0;
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
      clearTimeout(timer);
      timer = setTimeout(() => stalled.abort(), CONNECT_MS);
      pieces.push(piece);
      done += piece.length;
      if (done > options.mostBytes) throw new Error('sent more than the file has');
      options.onBytes?.(done);
    }
    return Buffer.concat(pieces);
  } catch (error) {
    if (options.signal?.aborted) throw new StrataError('ABORTED', 'The download was cancelled.');
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : reasonOf(error);
    const reason = stalled.signal.aborted ? `no answer within ${CONNECT_MS / 1000} s` : cause;
    throw new StrataError('FETCH_FAILED', `${new URL(base).host}: ${reason}`);
  } finally {
    clearTimeout(timer);
  }
}
