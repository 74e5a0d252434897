import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { reasonOf, StrataError } from '../model/errors.js';
import { VERSION } from '../model/version.js';
import { type AddressOptions, reachableAddresses } from './addresses.js';
import { pageName } from './page-name.js';

export interface WebOptions extends AddressOptions {
  /** What the library has: unchanged pages are not sent again. */
  readonly etag?: string | undefined;
  readonly last_modified?: string | undefined;
  /** For all redirects together. */
  readonly timeout_ms?: number;
  readonly max_bytes?: number;
  readonly redirects?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface WebPage {
  /** After redirects. */
  readonly url: string;
  readonly bytes: Uint8Array;
  /** A file name with the extension that the content type or the path gives. */
  readonly name: string;
  readonly content_type: string;
  readonly charset?: string;
  readonly etag?: string;
  readonly last_modified?: string;
}

const TIMEOUT = 30_000;
const MAX_BYTES = 64 * 2 ** 20;
const REDIRECTS = 5;

/** The page as the library names it: no fragment, which is a place in the page. */
export function normaliseUrl(address: string): string {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new StrataError('INVALID_ARGUMENT', `${address}: no valid web address`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new StrataError('INVALID_ARGUMENT', `${address}: only http and https addresses can be fetched`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new StrataError('INVALID_ARGUMENT', `${url.host}: a web address may not hold a name and password`);
  }
  url.hash = '';
  return url.href;
}

/** Null where the server says that the page has not changed. Errors name the address. */
export async function fetchPage(address: string, options: WebOptions = {}): Promise<WebPage | null> {
  const timeout = options.timeout_ms ?? TIMEOUT;
  const deadline = AbortSignal.timeout(timeout);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  try {
    return await follow(normaliseUrl(address), options, signal);
  } catch (error) {
    if (options.signal?.aborted) throw new StrataError('ABORTED', `${address}: cancelled`, { cause: error });
    if (deadline.aborted) {
      throw new StrataError('LIMIT', `${address}: took more than ${timeout / 1000} s`, { cause: error });
    }
    if (!(error instanceof StrataError)) {
      throw new StrataError('FETCH_FAILED', `${address}: ${connectionProblem(error)}`, { cause: error });
    }
    const isNamed = error.message.startsWith(address);
    throw isNamed
      ? error
      : new StrataError(error.code, `${address}: ${error.message}`, { cause: error.cause });
  }
}

async function follow(start: string, options: WebOptions, signal: AbortSignal): Promise<WebPage | null> {
  const most = options.redirects ?? REDIRECTS;
  let url = start;
  for (let hops = 0; hops <= most; hops += 1) {
    const response = await get(url, options, signal);
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if ([301, 302, 303, 307, 308].includes(status) && location !== undefined) {
      response.destroy();
      url = normaliseUrl(new URL(location, url).href);
      continue;
    }
    if (status === 304) {
      response.destroy();
      return null;
    }
    if (status < 200 || status > 299) {
      response.destroy();
      throw new StrataError(
        'FETCH_FAILED',
        `the server answered ${status} ${response.statusMessage ?? ''}`.trim(),
      );
    }
    return read(url, response, options.max_bytes ?? MAX_BYTES);
  }
  throw new StrataError('FETCH_FAILED', `more than ${most} redirects`);
}

/** The connection goes to an address that was checked: a name cannot mean another one a moment later. */
async function get(url: string, options: WebOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const { protocol, hostname } = new URL(url);
  const addresses = await reachableAddresses(hostname, options);
  const lookup: LookupFunction = (_host, { all }, done) => {
    if (all) done(null, [...addresses]);
    else done(null, addresses[0]!.address, addresses[0]!.family);
  };
  const headers: Record<string, string> = {
    'user-agent': `strata-kb/${VERSION}`,
    accept: 'text/html,application/xhtml+xml,application/pdf,text/markdown,text/plain;q=0.9,*/*;q=0.8',
    'accept-encoding': 'gzip, deflate, br',
    ...(options.etag && { 'if-none-match': options.etag }),
    ...(options.last_modified && { 'if-modified-since': options.last_modified }),
  };
  const request = protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    request(url, { headers, lookup, signal, agent: false }, resolve).on('error', reject).end();
  });
}

async function read(url: string, response: IncomingMessage, most: number): Promise<WebPage> {
  const stated = Number(response.headers['content-length'] ?? 0);
  if (stated > most) throw tooLarge(response, most);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of unpacked(response)) {
    size += (piece as Uint8Array).length;
    if (size > most) throw tooLarge(response, most);
    pieces.push(piece as Uint8Array);
  }
  const { etag, 'last-modified': last_modified } = response.headers;
  const [content_type = '', ...parameters] = (response.headers['content-type'] ?? '').split(';');
  const charset = /charset\s*=\s*["']?([\w.:-]+)/i.exec(parameters.join(';'))?.[1];
  return {
    url,
    bytes: Buffer.concat(pieces),
    name: pageName(url, content_type.trim().toLowerCase()),
    content_type: content_type.trim().toLowerCase(),
    ...(charset !== undefined && { charset }),
    ...(etag !== undefined && { etag }),
    ...(last_modified !== undefined && { last_modified }),
  };
}

/** What is packed is unpacked piece by piece, so that a small answer cannot become a large one unseen. */
function unpacked(response: IncomingMessage): AsyncIterable<unknown> {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase();
  const unpack =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'br'
        ? createBrotliDecompress()
        : encoding === 'deflate'
          ? createInflate()
          : undefined;
  if (unpack === undefined) return response;
  response.on('error', (error) => unpack.destroy(error));
  return response.pipe(unpack);
}

function tooLarge(response: IncomingMessage, most: number): StrataError {
  response.destroy();
  return new StrataError('LIMIT', `the page is larger than ${Math.round(most / 2 ** 20)} MiB`);
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the server refused the connection',
  ECONNRESET: 'the server broke the connection off',
  ETIMEDOUT: 'the server did not answer',
  EHOSTUNREACH: 'the server cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  CERT_HAS_EXPIRED: 'the server’s certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the server’s certificate is signed by itself',
};

function connectionProblem(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  return PROBLEMS[code] ?? `could not be fetched (${reasonOf(error)})`;
}
