import { describe, expect, it } from 'vitest';
import { addressOf, keptPlace, placeOfAddress, preparesStatements } from './address.js';
import { storeError } from './failure.js';

const SECRET = 'pa55word';
const url = `postgres://ada:${SECRET}@db.example.org:6000/kb`;
const asked = { location: '/home/ada/handbook/.strata', isAsked: true };
const found = { ...asked, isAsked: false };

describe('the address of a library in PostgreSQL', () => {
  it('B8 names server, schema and library, and takes the library from the folder', () => {
    const address = addressOf(url, asked, {});
    expect(address).toMatchObject({ library: 'handbook', schema: 'public' });
    expect(address.shown).toBe('postgres://db.example.org:6000/kb?library=handbook');
    const other = addressOf(`${url}?library=a%20b&schema=kb_2&sslmode=require`, asked, {});
    expect(other).toMatchObject({ library: 'a b', schema: 'kb_2' });
    expect(new URL(other.url).search).toBe('?sslmode=require');
  });

  it('S4.5 writes down no user and no password', () => {
    const place = placeOfAddress(url, asked.location, {})!;
    expect(keptPlace(place)).toBe('postgres://db.example.org:6000/kb?library=handbook');
    expect(placeOfAddress(undefined, asked.location, { STRATA_POSTGRES_URL: url })).toBe(place);
  });

  it('B15 gives a password to no server but the one its owner named', () => {
    const kept = 'postgres://db.example.org:6000/kb?library=team';
    expect(() => addressOf(kept, found, {})).toThrow('set STRATA_POSTGRES_URL');
    const opened = addressOf(kept, found, { STRATA_POSTGRES_URL: url });
    expect(opened).toMatchObject({ library: 'team' });
    expect(opened.url).toContain(SECRET);
    const planted = 'postgres://evil.example.com/kb?library=team';
    expect(() => addressOf(planted, found, { STRATA_POSTGRES_URL: url })).toThrow('evil.example.com');
  });

  it('refuses what is no address, and repeats no secret', () => {
    for (const wrong of [
      `postgres:/${SECRET}`,
      `//:${SECRET}`,
      `${url}?schema=a;b`,
      `${url}?pool=0`,
      `http://${SECRET}/`,
    ]) {
      expect(() => addressOf(wrong, asked, {})).toThrow('address of the PostgreSQL store');
      try {
        addressOf(wrong, asked, {});
      } catch (error) {
        expect(String(error)).not.toContain(SECRET);
      }
    }
  });

  it('prepares no statement at a transaction pooler', () => {
    const at = (text: string) => preparesStatements(addressOf(text, asked, {}));
    expect(at(url)).toBe(true);
    expect(at(`postgres://u:p@pooler.example.org:6543/postgres`)).toBe(false);
    expect(at(`${url}?prepare=false`)).toBe(false);
  });
});

describe("a server's errors", () => {
  const told = (error: object) =>
    storeError(Object.assign(new Error('told by the server'), error), 'postgres://h/db');

  it('say what to do, and carry no secret', () => {
    const cases: [object, string][] = [
      [{ code: '28P01' }, 'STRATA_POSTGRES_URL'],
      [{ code: 'ECONNREFUSED' }, 'check that it runs'],
      [{ code: '57P01' }, 'went away'],
      [{ code: '53100' }, 'disk is full'],
      [{ code: '42501' }, 'grant'],
      [{ code: '25006' }, 'read-only'],
      [{ code: '3D000' }, 'create the database'],
      [{ code: '99999' }, 'refused'],
    ];
    for (const [error, next] of cases) {
      const failure = told({ ...error, options: { password: SECRET }, parameters: [SECRET] }) as Error;
      expect(failure).toMatchObject({ code: 'STORE_FAILED' });
      expect(failure.message).toContain(next);
      expect(JSON.stringify(failure.cause, Object.getOwnPropertyNames(failure.cause))).not.toContain(SECRET);
    }
  });

  it('leave our own mistakes as they are', () => {
    const mistake = new TypeError('x is not a function');
    expect(storeError(mistake, 'postgres://h/db')).toBe(mistake);
  });
});
