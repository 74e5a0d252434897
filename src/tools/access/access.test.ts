import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isStrataError } from '../../model/errors.js';
import type { Json } from '../../model/json/json.js';
import { memoryBackend } from '../../store/memory/memory.js';
import { accessBook } from './access-book.js';
import { addGrant, grantsGoneWith, listGrants, removeGrant } from './grants.js';
import { keyIdIn, makeKey, readKey } from './key-secret.js';
import { createKey, listKeys, revokeKey } from './keys.js';
import { may } from './permission.js';
import { addUser, listUsers, removeUser, setRole } from './users.js';

const DAY = 86_400_000;
const code = async (task: Promise<unknown>): Promise<string> =>
  task.then(
    () => 'done',
    (error) => (isStrataError(error) ? error.code : String(error)),
  );

async function library() {
  const backend = memoryBackend();
  await addUser(backend, 'ann', 'reader');
  const { key, prefix } = await createKey(backend, { user: 'ann', expires: '30d' });
  return { backend, key, prefix };
}

describe('S3.4 keys', () => {
  it('let their user in until they expire or are revoked, and only with the whole secret', async () => {
    const { backend, key, prefix } = await library();
    let now = Date.now();
    const book = accessBook(backend, () => now);
    expect(await book.identify(key)).toMatchObject({
      principal: { kind: 'user', name: 'ann', access: 'read', key: prefix },
    });
    for (const wrong of ['', prefix, `${prefix}_`, key.slice(0, -1), `${key}x`, makeKey().key]) {
      expect(await book.identify(wrong), wrong).toEqual({ refused: null });
    }
    now += 30 * DAY + 1;
    expect(await book.identify(key)).toEqual({
      refused: expect.stringContaining(`${prefix} was valid until`),
    });
    now -= 30 * DAY;
    await revokeKey(backend, prefix);
    expect(await book.identify(key)).toEqual({ refused: expect.stringContaining(`${prefix} was revoked`) });
  });

  it('a secret is worth nothing under another id, and no character of it can be changed', () => {
    fc.assert(
      fc.property(fc.nat(42), fc.constantFrom('A', 'b', '0', '_'), (at, other) => {
        const { key, id } = makeKey();
        const { secret } = readKey(key)!;
        const changed = secret.slice(0, at) + other + secret.slice(at + 1);
        expect(readKey(key)).toEqual({ id, secret });
        expect(secret).toHaveLength(43);
        // The last character of base64url holds four bits and two that are always zero: equal bits are the same secret.
        if (changed !== secret) expect(readKey(`strata_${id}_${changed}`)?.secret).not.toBe(secret);
      }),
      { numRuns: 50 },
    );
  });

  it('are stored as a digest: what the library keeps does not hold the secret', async () => {
    const { backend, key } = await library();
    const { secret } = readKey(key)!;
    const kept = JSON.stringify(
      await Promise.all((await backend.kinds()).map((kind) => backend.records(kind))),
    );
    expect(kept).toContain(readKey(key)!.id);
    expect(kept).not.toContain(secret);
    expect(JSON.stringify(await listKeys(backend))).not.toMatch(new RegExp(`${secret}|digest`));
  });

  it('are revoked by prefix, by id or by the whole key, and no message repeats a secret', async () => {
    const { backend, key, prefix } = await library();
    expect([keyIdIn(key), keyIdIn(prefix), keyIdIn(prefix.slice(7))]).toEqual(Array(3).fill(prefix.slice(7)));
    const stranger = makeKey().key;
    const refused = await revokeKey(backend, stranger).catch((error: Error) => error.message);
    expect(refused).toContain(stranger.slice(0, 19));
    expect(refused).not.toContain(readKey(stranger)!.secret);
    const first = await revokeKey(backend, key);
    expect(await revokeKey(backend, prefix)).toEqual(first);
  });

  it.each(['', '0d', '30', 'd', '1e9y', '2020-01-01', 'soon', '-3d', '999999y'])(
    'an expiry of "%s" is refused',
    async (expires) => {
      const { backend } = await library();
      expect(await code(createKey(backend, { user: 'ann', expires }))).toBe('INVALID_ARGUMENT');
    },
  );
});

describe('S3.4 users and grants', () => {
  it('a removed user’s keys and grants are gone, also for the next user of that name', async () => {
    const { backend, key } = await library();
    await addGrant(backend, { user: 'ann', resource: 'table:laws', role: 'editor' });
    const kept = (await backend.records('key'))[0]!;
    expect(await removeUser(backend, 'ann')).toMatchObject({ keys: 1, grants: 1 });
    expect([await listUsers(backend), await listKeys(backend), await listGrants(backend)]).toEqual([
      [],
      [],
      [],
    ]);
    // Another process made the key while the user was removed.
    await backend.commit({ records: [{ kind: 'key', id: kept.id, value: kept.value }] });
    await addUser(backend, 'ann', 'owner');
    expect(await accessBook(backend).identify(key)).toEqual({ refused: null });
  });

  it('roles and grants count at once, and grants go with what they are for', async () => {
    const { backend, key } = await library();
    const book = accessBook(backend);
    const laws = { kind: 'table', id: 'laws' } as const;
    const mayChange = async (): Promise<boolean> => {
      const found = await book.identify(key);
      return 'principal' in found && may(found.principal, 'change', laws);
    };
    expect(await mayChange()).toBe(false);
    await addGrant(backend, { user: 'ann', resource: 'table:laws', role: 'reader' });
    expect(await mayChange()).toBe(false);
    await addGrant(backend, { user: 'ann', resource: 'table:laws', role: 'editor' });
    expect(await mayChange()).toBe(true);
    expect(await listGrants(backend, 'ann')).toHaveLength(1);
    await backend.commit({ records: await grantsGoneWith(backend, laws) });
    expect(await mayChange()).toBe(false);
    await setRole(backend, 'ann', 'editor');
    expect(await mayChange()).toBe(true);
  });

  it('refuse what is no name, no resource and nobody', async () => {
    const { backend } = await library();
    for (const name of ['', ' ann', 'a b', '../x', 'a\u001b[2J', 'x'.repeat(65), 'ann'])
      expect(await code(addUser(backend, name, 'reader')), name).toBe('INVALID_ARGUMENT');
    expect(await code(addUser(backend, '张三', 'reader'))).toBe('done');
    for (const resource of ['laws', 'table:', 'document:x', ':x', `table:${'x'.repeat(201)}`])
      expect(await code(addGrant(backend, { user: 'ann', resource, role: 'reader' })), resource).toBe(
        'INVALID_ARGUMENT',
      );
    expect(await code(addGrant(backend, { user: 'bob', resource: 'table:x', role: 'reader' }))).toBe(
      'NOT_FOUND',
    );
    expect(await code(removeGrant(backend, { user: 'ann', resource: 'table:x' }))).toBe('NOT_FOUND');
    expect(await code(createKey(backend, { user: 'bob', expires: '1d' }))).toBe('NOT_FOUND');
    expect(await code(removeUser(backend, 'bob'))).toBe('NOT_FOUND');
    expect(await code(accessBook(backend).principalNamed('bob'))).toBe('NOT_FOUND');
  });

  it('B15 records that somebody planted are read as data: what is no user, key or grant is nobody', async () => {
    const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
    const id = fc.constantFrom('ann', 'aaaaaaaaaaaa', 'ann table:x', '__proto__', '');
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('user', 'key', 'grant'), id, json, async (kind, name, value) => {
        const { backend, key } = await library();
        if (value === null || (kind === 'user' && name === 'ann')) return;
        await backend.commit({ records: [{ kind, id: name, value }] });
        expect(await accessBook(backend).identify(key)).toMatchObject({
          principal: { access: 'read', grants: [] },
        });
        expect(await listUsers(backend)).toHaveLength(1);
        expect(await listKeys(backend)).toHaveLength(1);
        expect(await listGrants(backend)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
