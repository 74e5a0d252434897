import { describe, expect, it } from 'vitest';
import { atMost, mayDo } from '../../tools/access/principal.js';
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
    expect(mayDo({ kind: 'token', name: 'a', access: 'write', key: 'k' }, 'read')).toBe(true);
    expect(mayDo({ kind: 'token', name: 'a', access: 'read', key: 'k' }, 'write')).toBe(false);
    expect(atMost('owner', 'read')).toBe('read');
    expect(atMost('read', 'owner')).toBe('read');
  });
});

describe('guard', () => {
  const settings: GuardSettings = {
    allowedHosts: ['kb.example.org'],
    allowedOrigins: ['https://app.example.org'],
    tokens: book,
    anonymous: { kind: 'anonymous', name: 'anonymous', access: 'read', key: 'anonymous' },
    perMinute: 1000,
  };
  const request = (headers: Record<string, string>) =>
    new Request('http://127.0.0.1:7700/mcp', {
      headers: { host: '127.0.0.1:7700', authorization: `Bearer ${READER}`, ...headers },
    });
  const ask = (headers: Record<string, string>, over: Partial<GuardSettings> = {}): Verdict => {
    const guard = createGuard({ ...settings, ...over });
    const refusal = guard.checkOrigin(request(headers));
    return refusal === null ? guard.admit(request(headers), '127.0.0.1') : { refusal };
  };
  const status = (verdict: ReturnType<typeof ask>) => ('refusal' in verdict ? verdict.refusal.status : 200);

  it('answers to loopback and to allowed hosts, and to no other (DNS rebinding)', () => {
    expect(status(ask({}))).toBe(200);
    expect(status(ask({ host: 'localhost:1' }))).toBe(200);
    expect(status(ask({ host: '[::1]:7700' }))).toBe(200);
    expect(status(ask({ host: 'kb.example.org' }))).toBe(200);
    expect(status(ask({ host: 'evil.example' }))).toBe(421);
    expect(status(ask({ host: '127.0.0.1.evil.example' }))).toBe(421);
  });

  it('refuses pages of foreign origins, and null', () => {
    expect(status(ask({ origin: 'https://app.example.org' }))).toBe(200);
    expect(status(ask({ origin: 'http://127.0.0.1:7700' }))).toBe(200);
    expect(status(ask({ origin: 'https://evil.example' }))).toBe(403);
    expect(status(ask({ origin: 'null' }))).toBe(403);
    expect(status(ask({ origin: 'http://127.0.0.1:7700.evil.example' }))).toBe(403);
  });

  it('asks for a token, and knows a wrong one', () => {
    expect(status(ask({ authorization: '' }))).toBe(401);
    expect(status(ask({ authorization: 'Bearer wrong-token-0123456789' }))).toBe(401);
    expect(status(ask({ authorization: `Basic ${READER}` }))).toBe(401);
    expect(ask({})).toMatchObject({ principal: { name: 'ann', access: 'read' } });
    expect(ask({ authorization: '' }, { tokens: null })).toEqual({ principal: settings.anonymous });
  });

  it('B15 lets nobody guess tokens, and locks nobody out whose token was right before', () => {
    const guard = createGuard(settings);
    const login = (authorization: string) => status(guard.admit(request({ authorization }), '10.0.0.9'));
    expect(login(`Bearer ${READER}`)).toBe(200);
    const guesses = Array.from({ length: 5000 }, (_, n) => login(`Bearer guess-${n}-0123456789`));
    expect(guesses.filter((code) => code === 401)).toHaveLength(10);
    expect(guesses.filter((code) => code === 429)).toHaveLength(4990);
    expect(login('Bearer writer-token-0123456789')).toBe(429);
    expect(login(`Bearer ${READER}`)).toBe(200);
    expect(
      status(guard.admit(request({ authorization: 'Bearer writer-token-0123456789' }), '10.0.0.8')),
    ).toBe(200);
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
