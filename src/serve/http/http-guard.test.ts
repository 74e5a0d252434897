import { describe, expect, it } from 'vitest';
import { atMost, includes, type Principal } from '../../tools/access/principal.js';
import { createGuard, createLimiter, type GuardSettings, type Verdict } from './http-guard.js';
import { tokenBook } from './token-file.js';

const READER = 'reader-token-0123456789';
const book = tokenBook(`# people\n${READER} ann read\nwriter-token-0123456789 bob write # may add\n`);

describe('token file', () => {
  it('finds the principal behind a token, and nobody behind any other', () => {
    expect(book.size).toBe(2);
    expect(book.principalOf(READER)).toMatchObject({ name: 'ann', access: 'read' });
    expect(book.principalOf('writer-token-0123456789')).toMatchObject({ name: 'bob', access: 'write' });
    expect(book.principalOf(`${READER}x`)).toBeNull();
    expect(book.principalOf('')).toBeNull();
  });

  it('refuses short tokens and unknown levels, naming the line but never the token', () => {
    expect(() => tokenBook('short ann read')).toThrow(/line 1.*fewer than 16/);
    expect(() => tokenBook(`\n${READER} ann owner`)).toThrow(/line 2.*read or write/);
    expect(() => tokenBook(`${READER} ann owner`)).not.toThrow(READER);
  });

  it('levels include the lower ones, and a read-only server lowers all', () => {
    expect(includes('write', 'read')).toBe(true);
    expect(includes('read', 'write')).toBe(false);
    expect(atMost('owner', 'read')).toBe('read');
    expect(atMost('read', 'owner')).toBe('read');
  });
});

describe('guard', () => {
  const settings: GuardSettings = {
    allowedHosts: ['kb.example.org'],
    allowedOrigins: ['https://app.example.org'],
    tokens: book,
    keys: null,
    anonymous: { kind: 'anonymous', name: 'anonymous', access: 'read', key: 'anonymous' },
    perMinute: 1000,
  };
  const request = (headers: Record<string, string>) =>
    new Request('http://127.0.0.1:7700/mcp', {
      headers: { host: '127.0.0.1:7700', authorization: `Bearer ${READER}`, ...headers },
    });
  const ask = async (
    headers: Record<string, string>,
    over: Partial<GuardSettings> = {},
  ): Promise<Verdict> => {
    const guard = createGuard({ ...settings, ...over });
    const refusal = guard.checkOrigin(request(headers));
    return refusal === null ? guard.admit(request(headers), '127.0.0.1') : { refusal };
  };
  const statusOf = (verdict: Verdict) => ('refusal' in verdict ? verdict.refusal.status : 200);
  const status = async (...asked: Parameters<typeof ask>) => statusOf(await ask(...asked));

  it('answers to loopback and to allowed hosts, and to no other (DNS rebinding)', async () => {
    expect(await status({})).toBe(200);
    expect(await status({ host: 'localhost:1' })).toBe(200);
    expect(await status({ host: '[::1]:7700' })).toBe(200);
    expect(await status({ host: 'kb.example.org' })).toBe(200);
    expect(await status({ host: 'evil.example' })).toBe(421);
    expect(await status({ host: '127.0.0.1.evil.example' })).toBe(421);
  });

  it('refuses pages of foreign origins, and null', async () => {
    expect(await status({ origin: 'https://app.example.org' })).toBe(200);
    expect(await status({ origin: 'http://127.0.0.1:7700' })).toBe(200);
    expect(await status({ origin: 'https://evil.example' })).toBe(403);
    expect(await status({ origin: 'null' })).toBe(403);
    expect(await status({ origin: 'http://127.0.0.1:7700.evil.example' })).toBe(403);
  });

  it('asks for a token, and knows a wrong one', async () => {
    expect(await status({ authorization: '' })).toBe(401);
    expect(await status({ authorization: 'Bearer wrong-token-0123456789' })).toBe(401);
    expect(await status({ authorization: `Basic ${READER}` })).toBe(401);
    expect(await ask({})).toMatchObject({ principal: { name: 'ann', access: 'read' } });
    expect(await ask({ authorization: '' }, { tokens: null })).toEqual({ principal: settings.anonymous });
  });

  it('S3.4 a library with users asks for a key, and says what is wrong with it to its holder only', async () => {
    const eve: Principal = { kind: 'user', name: 'eve', access: 'none', key: 'strata_eve' };
    const keys = (users: boolean): GuardSettings['keys'] => ({
      hasUsers: async () => users,
      identify: async (key) =>
        key === 'right' ? { principal: eve } : { refused: key === 'late' ? 'the key expired' : null },
    });
    const login = (key: string, over: Partial<GuardSettings>) =>
      ask({ authorization: key === '' ? '' : `Bearer ${key}` }, { tokens: null, keys: keys(true), ...over });
    expect(await login('right', {})).toEqual({ principal: eve });
    expect(await login('late', {})).toMatchObject({ refusal: { status: 401, message: 'the key expired' } });
    for (const wrong of ['', 'wrong']) {
      const verdict = await login(wrong, {});
      expect(verdict).toMatchObject({ refusal: { status: 401 } });
      expect(JSON.stringify(verdict)).toContain('a key or token is needed');
    }
    // No users: whoever is on this machine may read, unless the server was started for more.
    expect(await login('', { keys: keys(false) })).toEqual({ principal: settings.anonymous });
    expect(await login('', { keys: keys(false), anonymous: null })).toMatchObject({
      refusal: { status: 401 },
    });
    expect(await login('', { keys: keys(false), tokens: book })).toMatchObject({ refusal: { status: 401 } });
    // A token file stays the simple way, beside the keys.
    expect(await login(READER, { tokens: book })).toMatchObject({
      principal: { name: 'ann', kind: 'token' },
    });
    expect(await login('right', { tokens: book })).toEqual({ principal: eve });
  });

  it('B15 lets nobody guess tokens, and locks nobody out whose token was right before', async () => {
    const guard = createGuard(settings);
    const login = async (authorization: string, address = '10.0.0.9') =>
      statusOf(await guard.admit(request({ authorization }), address));
    expect(await login(`Bearer ${READER}`)).toBe(200);
    const guesses: number[] = [];
    for (let n = 0; n < 5000; n++) guesses.push(await login(`Bearer guess-${n}-0123456789`));
    expect(guesses.filter((code) => code === 401)).toHaveLength(10);
    expect(guesses.filter((code) => code === 429)).toHaveLength(4990);
    expect(await login('Bearer writer-token-0123456789')).toBe(429);
    expect(await login(`Bearer ${READER}`)).toBe(200);
    expect(await login('Bearer writer-token-0123456789', '10.0.0.8')).toBe(200);
  });

  it('two tokens of one name are two callers', () => {
    const two = tokenBook('first-token-0123456789 ann read\nsecond-token-0123456789 ann read\n');
    const keys = ['first', 'second'].map((one) => two.principalOf(`${one}-token-0123456789`)!.key);
    expect(new Set(keys).size).toBe(2);
    expect(keys.join()).not.toContain('token');
  });

  it('limits how often a caller may call, and lets others in meanwhile', () => {
    let now = 0;
    const limit = createLimiter(2, () => now);
    expect([limit('a'), limit('a'), limit('a')]).toEqual([0, 0, 30]);
    expect(limit('b')).toBe(0);
    now = 30_000;
    expect([limit('a'), limit('a')]).toEqual([0, 30]);
  });
});
