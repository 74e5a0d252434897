import { isIP } from 'node:net';
import type { AccessBook, Identified } from '../../tools/access/access-book.js';
import type { Principal } from '../../tools/access/principal.js';
import type { TokenBook } from './token-file.js';

/**
 * What stands before every HTTP request: Host and Origin (against DNS rebinding and foreign pages), the token, and
 * how often a caller may call. A refusal is a status and one sentence; nothing of the library is touched before.
 */
export interface GuardSettings {
  /** Host names this server answers to besides loopback. */
  readonly allowedHosts: readonly string[];
  /** Origins (scheme://host[:port]) of pages that may call; none by default: CORS is off. */
  readonly allowedOrigins: readonly string[];
  /** The tokens of a token file; null where none was given. */
  readonly tokens: TokenBook | null;
  /** The keys of the library's users; null where there is no library. */
  readonly keys: Pick<AccessBook, 'hasUsers' | 'identify'> | null;
  /**
   * Who calls without token or key, as long as there is neither a token file nor a user; null where nobody may. Only a
   * server that reads, on loopback, may have one.
   */
  readonly anonymous: Principal | null;
  /** Requests per minute and caller (principal and address). */
  readonly perMinute: number;
}

export interface Refusal {
  readonly status: 401 | 403 | 415 | 421 | 429;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Verdict = { readonly principal: Principal } | { readonly refusal: Refusal };

export interface Guard {
  /** Before anything else: is the request meant for this server, and may the page it comes from call? */
  checkOrigin(request: Request): Refusal | null;
  /** Who calls, and may they call again already? */
  admit(request: Request, address: string): Promise<Verdict>;
}

/** Wrong tokens and keys per minute and address: enough for a person's mistakes, useless for guessing. */
const FAILURES_PER_MINUTE = 10;

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** `[::1]:7700` → `[::1]`; `example.org:80` → `example.org`. */
function hostName(host: string): string {
  const bracketed = /^\[[^\]]*\]/.exec(host);
  return (bracketed ? bracketed[0] : host.replace(/:\d*$/, '')).toLowerCase();
}

export const isLoopback = (host: string): boolean =>
  LOOPBACK_NAMES.has(host.toLowerCase()) || (isIP(host) === 4 && host.startsWith('127.'));

export function createGuard(settings: GuardSettings): Guard {
  const hosts = new Set([...LOOPBACK_NAMES, ...settings.allowedHosts.map((host) => host.toLowerCase())]);
  const origins = new Set(settings.allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
  const limiter = createLimiter(settings.perMinute);
  const failures = createLimiter(FAILURES_PER_MINUTE);
  /** Tokens that were right before: somebody else's guesses from the same address do not lock them out. */
  const proven = new Set<string>();

  return {
    checkOrigin(request) {
      const host = request.headers.get('host') ?? '';
      if (!hosts.has(hostName(host))) {
        const message = `this server does not answer to the host "${host}"; start it with --allow-host to change that`;
        return { status: 421, message };
      }
      const origin = request.headers.get('origin');
      if (origin === null || originAllowed(origin, host, origins)) return null;
      const message = `pages of ${origin} may not call this server; start it with --allow-origin to change that`;
      return { status: 403, message };
    },
    async admit(request, address) {
      const caller = await identify(request, settings);
      const isProven =
        'principal' in caller && (caller.principal.kind === 'anonymous' || proven.has(caller.principal.key));
      const locked = isProven ? 0 : failures(address, 0);
      if (locked > 0)
        return tooMany(locked, `too many wrong keys or tokens: at most ${FAILURES_PER_MINUTE} a minute`);
      if ('refused' in caller) {
        failures(address);
        const message = caller.refused ?? 'a key or token is needed: Authorization: Bearer <key>';
        return { refusal: { status: 401, message, headers: { 'www-authenticate': 'Bearer' } } };
      }
      const { principal } = caller;
      proven.add(principal.key);
      const wait = limiter(`${principal.key} ${address}`);
      return wait > 0
        ? tooMany(wait, `too many requests: at most ${settings.perMinute} a minute`)
        : { principal };
    },
  };
}

const tooMany = (seconds: number, message: string): Verdict => ({
  refusal: { status: 429, message, headers: { 'retry-after': String(seconds) } },
});

/** The server's own page may call it; any other must be allowed by name. `Origin: null` is never allowed. */
function originAllowed(origin: string, host: string, allowed: ReadonlySet<string>): boolean {
  const lower = origin.toLowerCase();
  if (allowed.has(lower)) return true;
  return lower === `http://${host.toLowerCase()}` || lower === `https://${host.toLowerCase()}`;
}

async function identify(request: Request, { tokens, keys, anonymous }: GuardSettings): Promise<Identified> {
  const given = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  const known = given === undefined ? null : tokens?.principalOf(given);
  if (known) return { principal: known };
  if (anonymous !== null && tokens === null && !(await keys?.hasUsers())) return { principal: anonymous };
  if (given === undefined || keys === null) return { refused: null };
  return keys.identify(given);
}

/** One bucket per caller, refilled evenly. Gives 0, or the seconds to wait; a cost of 0 only asks. */
export function createLimiter(
  perMinute: number,
  now: () => number = Date.now,
): (key: string, cost?: number) => number {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return (key, cost = 1) => {
    const time = now();
    const bucket = buckets.get(key) ?? { tokens: perMinute, at: time };
    bucket.tokens = Math.min(perMinute, bucket.tokens + ((time - bucket.at) * perMinute) / 60_000);
    bucket.at = time;
    buckets.delete(key);
    buckets.set(key, bucket);
    // The oldest callers go first, so that a flood of addresses cannot fill the memory.
    if (buckets.size > 10_000) buckets.delete(buckets.keys().next().value!);
    if (bucket.tokens < 1) return Math.max(1, Math.ceil(((1 - bucket.tokens) * 60) / perMinute));
    bucket.tokens -= cost;
    return 0;
  };
}
