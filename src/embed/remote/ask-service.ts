import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf, StrataError } from '../../model/errors.js';

/** How patient a remote embedder is. Tests make it quick; nobody else sets it. */
export interface RemotePatience {
  readonly attempts: number;
  readonly firstWaitMs: number;
  readonly timeoutMs: number;
  /** A service that asks to wait longer is reported, not waited for. */
  readonly longestWaitMs: number;
}

export const PATIENCE: RemotePatience = {
  attempts: 6,
  firstWaitMs: 500,
  timeoutMs: 60_000,
  longestWaitMs: 60_000,
};

export interface RemoteRequest {
  /** For messages: `openai (api.example.com)`. */
  readonly service: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Must never be seen. */
  readonly secret?: string;
  readonly signal?: AbortSignal;
}

/** A failure that another try may cure. */
class Passing extends Error {
  constructor(
    message: string,
    readonly waitMs: number | null,
  ) {
    super(message);
  }
}

/** A refusal of these very texts (too long, too many): smaller batches may pass. */
export class Refused extends StrataError {
  constructor(message: string) {
    super('EMBEDDER_FAILED', message);
  }
}

/**
 * One JSON answer from a service that may be slow, busy or broken. 408, 429 and 5xx, cut connections, timeouts and
 * truncated answers are tried again, waiting as long as `Retry-After` says or ever longer, with jitter so that many
 * clients do not return at once. What stays broken is EMBEDDER_UNAVAILABLE; what was refused is EMBEDDER_FAILED.
 */
export async function askService(request: RemoteRequest, patience: RemotePatience): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await askOnce(request, patience);
    } catch (error) {
      if (request.signal?.aborted) throw new StrataError('ABORTED', 'Embedding was cancelled.');
      if (!(error instanceof Passing)) throw error;
      const wait = error.waitMs ?? patience.firstWaitMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
      if (attempt >= patience.attempts || wait > patience.longestWaitMs) {
        const asks = error.waitMs === null ? '' : ` and asks to wait ${Math.ceil(error.waitMs / 1000)} s`;
        throw new StrataError(
          'EMBEDDER_UNAVAILABLE',
          `${request.service} ${hidden(error.message, request.secret)}${asks} (${attempt} ${attempt === 1 ? 'try' : 'tries'}); run strata embed later to go on.`,
        );
      }
      await sleep(wait, undefined, request.signal ? { signal: request.signal } : {}).catch(() => {});
    }
  }
}

async function askOnce(request: RemoteRequest, patience: RemotePatience): Promise<unknown> {
  const timeout = AbortSignal.timeout(patience.timeoutMs);
  const say = (text: string): string => hidden(text, request.secret);
  let response: Response;
  let text: string;
  try {
    response = await fetch(request.url, {
      method: request.body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...request.headers },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
      redirect: 'error',
    });
    text = await response.text();
  } catch (error) {
    if (timeout.aborted) throw new Passing(`did not answer within ${patience.timeoutMs / 1000} s`, null);
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : reasonOf(error);
    throw new Passing(`cannot be reached (${say(cause)})`, null);
  }
  if (response.ok) {
    try {
      return JSON.parse(text);
    } catch {
      throw new Passing('gave an answer that is cut short or no JSON', null);
    }
  }
  const reason = `answered ${response.status}${say(detail(text))}`;
  if (response.status === 408 || response.status === 429 || response.status >= 500) {
    throw new Passing(reason, retryAfter(response.headers.get('retry-after')));
  }
  if (response.status === 401 || response.status === 403) {
    throw new StrataError('EMBEDDER_UNAVAILABLE', `${request.service} ${reason}; check the key.`);
  }
  if (response.status === 404) {
    throw new StrataError(
      'EMBEDDER_UNAVAILABLE',
      `${request.service} ${reason}; check the model's name and the URL.`,
    );
  }
  throw new Refused(`${request.service} ${reason}.`);
}

/** Seconds or an HTTP date, in milliseconds from now. */
export function retryAfter(header: string | null, now = Date.now()): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : null;
}

/** What the service says of the matter: its `error.message`, one line of it. */
function detail(text: string): string {
  let message: unknown = text;
  try {
    const parsed = JSON.parse(text) as { error?: { message?: unknown } | string; message?: unknown };
    message =
      typeof parsed.error === 'string' ? parsed.error : (parsed.error?.message ?? parsed.message ?? '');
  } catch {
    if (/^\s*</.test(text)) message = '';
  }
  const line = String(message).split('\n', 1)[0]!.trim().slice(0, 200);
  return line ? `: ${line}` : '';
}

/** Services like to quote the key they were given. */
export function hidden(text: string, secret: string | undefined): string {
  const plain = secret && secret.length >= 4 ? text.replaceAll(secret, '…') : text;
  return plain.replace(/\b(?:sk|pk|key|Bearer)[-_ ][\w*.-]{6,}/gi, '…').replace(/(\w+:\/\/)[^\s/@]*@/g, '$1');
}
