import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { folder, guide } from '../strata.js';

/** By the real program: one clear line that says what to do, and no password in anything it prints. */
const url = process.env.STRATA_TEST_POSTGRES!;
const data = join(process.env.STRATA_TEST_POSTGRES_FOLDER ?? '', 'data');
const SECRET = 'hunter2-sekret';

const address = (change: (place: URL) => void = () => {}): string => {
  const place = new URL(url);
  place.searchParams.set('library', randomUUID());
  place.searchParams.set('schema', 'strata_trouble');
  change(place);
  return place.href;
};

/** With a role whose password can be looked for. */
async function asRole(run: (role: string, admin: postgres.Sql) => Promise<void>): Promise<void> {
  const admin = postgres(url, { max: 1, onnotice: () => {} });
  const role = `t${randomUUID().replaceAll('-', '')}`;
  await admin.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD '${SECRET}'`);
  try {
    await run(role, admin);
  } finally {
    await admin.end();
  }
}

describe('what goes wrong with a server, by the program', () => {
  const cases: readonly [string, (place: URL) => void, RegExp][] = [
    [
      'a wrong password',
      (place) => Object.assign(place, { password: SECRET }),
      /password.*STRATA_POSTGRES_URL/,
    ],
    [
      'no server',
      (place) => Object.assign(place, { port: '1', password: SECRET }),
      /no PostgreSQL server answers/,
    ],
    [
      'no such host',
      (place) => Object.assign(place, { hostname: 'nobody.invalid', password: SECRET }),
      /host is not known/,
    ],
    ['no such database', (place) => Object.assign(place, { pathname: '/nowhere' }), /create the database/],
  ];
  for (const [problem, change, next] of cases)
    it(`B8 ${problem}: says what to do, and never the password`, async () => {
      const here = folder({ 'docs/a.md': guide('A', 'apples') });
      const env = { STRATA_POSTGRES_URL: address(change) };
      for (const args of [
        ['add', 'docs', '--store', 'postgres'],
        ['status', '--json'],
      ]) {
        const { code, stdout, stderr } = await here.run(args, { env });
        expect(code).toBe(1);
        expect(`${stdout}${stderr}`).toMatch(next);
        expect(`${stdout}${stderr}`).not.toContain(SECRET);
        expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
      }
    });

  it('B8 a role that may make no table', async () =>
    asRole(async (role, admin) => {
      // Where it is missing, that is said first.
      await admin`CREATE EXTENSION IF NOT EXISTS vector`;
      const here = folder({ 'docs/a.md': guide('A', 'apples') });
      const env = {
        STRATA_POSTGRES_URL: address((place) => {
          Object.assign(place, { username: role, password: SECRET });
          place.searchParams.set('schema', `s${randomUUID().replaceAll('-', '')}`);
        }),
      };
      const { code, stdout, stderr } = await here.run(['add', 'docs', '--store', 'postgres'], { env });
      expect(code).toBe(1);
      expect(stderr).toMatch(/may not do that.*grant/s);
      expect(`${stdout}${stderr}`).not.toContain(SECRET);
    }));

  const isRoot = process.getuid?.() === 0;
  it.skipIf(!isRoot)(
    "B8 a full disk of the server's: nothing is lost, and it goes on when there is room",
    async () => {
      const point = mkdtempSync(join(tmpdir(), 'strata-full-'));
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', point]);
      const admin = postgres(url, { max: 1, onnotice: () => {} });
      const [space, database] = [`sp${Date.now()}`, `db${Date.now()}`];
      try {
        const { uid, gid } = statSync(data);
        mkdirSync(join(point, 'space'));
        chownSync(join(point, 'space'), uid, gid);
        chmodSync(point, 0o755);
        await admin.unsafe(`CREATE TABLESPACE ${space} LOCATION '${join(point, 'space')}'`);
        await admin.unsafe(`CREATE DATABASE ${database} TABLESPACE ${space}`);
        const here = folder({ 'docs/a.md': guide('A', 'apples') });
        const env = {
          STRATA_POSTGRES_URL: address((place) => Object.assign(place, { pathname: `/${database}` })),
        };
        expect((await here.run(['add', 'docs', '--store', 'postgres'], { env })).code).toBe(0);
        const words = Array.from({ length: 400_000 }, () => Math.random().toString(36).slice(2)).join(' ');
        here.write({ 'docs/large.md': `# Large\n\n${words}\n` });
        const full = await here.run(['add', 'docs'], { env });
        expect(full.code).toBe(1);
        expect(`${full.stdout}${full.stderr}`).toMatch(/disk is full.*nothing was written/s);
        const found = await here.run(['search', 'apples', '--json'], { env });
        expect(found.stdout).toContain('apples');
        execFileSync('mount', ['-o', 'remount,size=400m', point]);
        expect((await here.run(['add', 'docs'], { env })).code).toBe(0);
        expect((await here.run(['doctor', '--json'], { env })).json()).toMatchObject({ findings: [] });
      } finally {
        await admin.unsafe(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`).catch(() => {});
        await admin.unsafe(`DROP TABLESPACE IF EXISTS ${space}`).catch(() => {});
        await admin.end();
        execFileSync('umount', ['-l', point]);
        rmdirSync(point);
      }
    },
  );
});
