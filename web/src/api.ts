import { forgetKey, needsKey, refusal, token, useKey } from './session.js';

/** The one way to the server: what an operation answers, or a `Problem` that can be shown in words. */
export class Problem extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface Progress {
  readonly stage: string;
  readonly done: number;
  readonly total?: number;
  readonly item?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Asks for a stream, and hears how far it is. */
  readonly onProgress?: (progress: Progress) => void;
}

const BASE = '/api/v1';

export async function call<A>(name: string, input: object = {}, options: CallOptions = {}): Promise<A> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (options.onProgress) headers.accept = 'text/event-stream';
  const response = await ask(`/${name}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(input),
    ...(options.signal && { signal: options.signal }),
  });
  if (!options.onProgress) return (await response.json()) as A;
  for await (const { event, data } of eventsOf(response)) {
    if (event === 'progress') options.onProgress(data as Progress);
    if (event === 'answer') return data as A;
    if (event === 'error') throw problemOf(data);
  }
  throw new Problem('OFFLINE', 'the server ended before it had answered');
}

/** A file's bytes, kept beside the library and added. */
export async function upload<A>(name: string, file: Blob): Promise<A> {
  const path = name.split('/').map(encodeURIComponent).join('/');
  const headers = { 'content-type': 'application/octet-stream' };
  const response = await ask(`/files/${path}`, { method: 'PUT', headers, body: file });
  return (await response.json()) as A;
}

/** What `strata open` hands over in the address becomes this tab's token. */
export async function login(code: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await ask('/login', { method: 'POST', headers, body: JSON.stringify({ code }) });
  useKey(((await response.json()) as { token: string }).token);
}

export async function* libraryEvents(signal: AbortSignal): AsyncGenerator<ServerEvent> {
  yield* eventsOf(await ask('/events', { signal }));
}

interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
}

/** Whether the server knows this key; if so, it is this tab's from now on. One question per key: wrong ones are counted. */
export async function tryKey(key: string): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const response = await send('/who', { method: 'POST', headers, body: '{}' });
  if (response.ok) return useKey(key);
  const problem = problemOf(await response.json().catch(() => null), response.status);
  if (response.status !== 401) throw problem;
  refusal.set(problem.message);
  needsKey.set('refused');
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(BASE + path, { ...init, credentials: 'omit', redirect: 'error' });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Problem('OFFLINE', 'the server does not answer');
  }
}

async function ask(path: string, init: RequestInit): Promise<Response> {
  // Without a key there is nothing to ask for, and every refusal counts as a wrong key.
  if (needsKey.get() !== 'never' && path !== '/login') throw new Problem('UNAUTHORIZED', 'a key is needed');
  const key = token.get();
  const headers = { ...(init.headers as object), ...(key !== null && { authorization: `Bearer ${key}` }) };
  const response = await send(path, { ...init, headers });
  if (response.ok) return response;
  const problem = problemOf(await response.json().catch(() => null), response.status);
  if (response.status === 401) {
    refusal.set(key === null ? null : problem.message);
    needsKey.set(key === null ? 'missing' : 'refused');
    forgetKey();
  }
  throw problem;
}

function problemOf(body: unknown, status = 500): Problem {
  const { code, message } = (body as { error?: { code?: string; message?: string } } | null)?.error ?? {};
  return new Problem(status === 429 ? 'TOO_MANY' : (code ?? 'INTERNAL'), message ?? `status ${status}`);
}

/** Server-sent events by `fetch`, which can carry a token; `EventSource` cannot. */
async function* eventsOf(response: Response): AsyncGenerator<ServerEvent> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done || value === undefined) return;
    rest += value;
    const parts = rest.split('\n\n');
    rest = parts.pop()!;
    for (const part of parts) {
      const event = /^event: ?(.*)$/m.exec(part)?.[1] ?? 'message';
      const data = [...part.matchAll(/^data: ?(.*)$/gm)].map((line) => line[1]).join('\n');
      yield { event, data: data === '' ? null : JSON.parse(data) };
    }
  }
}
