import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type AuditEntry, auditLog, readAudit } from './audit.js';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'strata-audit-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const entry = (more: Partial<AuditEntry> = {}): Omit<AuditEntry, 'at'> => ({
  by: { kind: 'user', name: 'ann', key: 'strata_aaaaaaaaaaaa' },
  via: 'http',
  action: 'search',
  subject: null,
  outcome: 'done',
  code: null,
  address: '127.0.0.1',
  ...more,
});
const all = { limit: 1_000_000 };

describe('S3.4 the audit log', () => {
  it('is read back, the newest first, and filtered', async () => {
    const location = folder();
    const log = auditLog(location, () => {});
    log.note(entry());
    log.note(entry({ action: 'remove', subject: 'a.md', outcome: 'refused', code: 'FORBIDDEN' }));
    log.note(entry({ by: null, action: 'authenticate', outcome: 'refused', code: 'UNAUTHORIZED' }));
    await log.flush();
    const found = await readAudit(location, all);
    expect(found.map(({ action }) => action)).toEqual(['authenticate', 'remove', 'search']);
    expect(found[1]).toMatchObject({ subject: 'a.md', code: 'FORBIDDEN', by: { name: 'ann' } });
    expect(await readAudit(location, { limit: 1 })).toEqual(found.slice(0, 1));
    expect(await readAudit(location, { ...all, user: 'ann', action: 'search' })).toEqual(found.slice(2));
    expect(await readAudit(location, { ...all, since: Date.now() + 1000 })).toEqual([]);
    expect(statSync(join(location, 'audit.jsonl')).mode & 0o777).toBe(0o600);
  });

  it('keeps the newest files only, whoever writes', async () => {
    const location = folder();
    const limits = { maxBytes: 2000, maxFiles: 3 };
    const logs = [1, 2, 3].map(() => auditLog(location, expect.unreachable, limits));
    for (let n = 0; n < 200; n++) {
      for (const log of logs) log.note(entry({ subject: `n${n}` }));
      if (n % 10 === 0) await Promise.all(logs.map((log) => log.flush()));
    }
    await Promise.all(logs.map((log) => log.flush()));
    // The last of them may have filled a file, which stands apart then.
    logs[0]!.note(entry({ subject: 'n200' }));
    await logs[0]!.flush();
    const files = readdirSync(location).filter((name) => name.endsWith('.jsonl'));
    expect(files.sort()).toEqual(['audit.1.jsonl', 'audit.2.jsonl', 'audit.jsonl']);
    const found = await readAudit(location, all);
    expect(found.length).toBeGreaterThan(10);
    expect(found[0]!.subject).toBe('n200');
    for (const file of files) {
      const lines = readFileSync(join(location, file), 'utf8').trimEnd().split('\n');
      for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
    }
  });

  it('holds one harmless line an entry, whatever it is told', async () => {
    const location = folder();
    const log = auditLog(location, expect.unreachable);
    const hostile = fc.sample(
      fc
        .array(fc.integer({ min: 0, max: 0x2fff }), { maxLength: 40 })
        .map((units) => String.fromCharCode(...units)),
      100,
    );
    const told = [
      ...hostile,
      '\u001b]52;c;x\u0007',
      'a\u009b2Jb',
      '\u202egpj.exe',
      'x\ny',
      'z'.repeat(10_000),
    ];
    for (const subject of told) log.note(entry({ subject }));
    await log.flush();
    const text = readFileSync(join(location, 'audit.jsonl'), 'utf8');
    expect(text.split('\n')).toHaveLength(told.length + 1);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/);
    const found = (await readAudit(location, all)).map(({ subject }) => subject).reverse();
    expect(found.slice(0, 100)).toEqual(hostile);
    expect(found.at(-1)!.length).toBeLessThan(400);
  });

  it.skipIf(process.platform === 'win32')('B15 follows no link and waits for no pipe', async () => {
    const location = folder();
    const target = join(location, 'elsewhere');
    writeFileSync(target, '');
    symlinkSync(target, join(location, 'audit.jsonl'));
    const problems: string[] = [];
    const log = auditLog(location, (line) => problems.push(line));
    log.note(entry());
    log.note(entry());
    await log.flush();
    expect(readFileSync(target, 'utf8')).toBe('');
    expect(problems).toHaveLength(1);
    rmSync(join(location, 'audit.jsonl'));
    execFileSync('mkfifo', [join(location, 'audit.jsonl')]);
    log.note(entry());
    await log.flush();
    expect(await readAudit(location, all)).toEqual([]);
  });

  it('B15 lines that are no entries are left out', async () => {
    const location = folder();
    writeFileSync(join(location, 'audit.jsonl'), '{}\nnull\n[1]\n{"at":"x"}\nnot json\n');
    expect(await readAudit(location, all)).toEqual([]);
    expect(existsSync(join(location, 'audit-lock'))).toBe(false);
  });
});
