import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folder, guide } from './strata.js';

interface Report {
  readonly added: number;
  readonly unchanged: number;
  readonly renamed: number;
  readonly failed: number;
  readonly seconds: number;
  readonly entries: readonly {
    outcome: string;
    source_path: string;
    reason?: string;
    id?: string;
    from?: string;
  }[];
}

/** What goes wrong with files: no text, cut off, something else than the name says. */
function badFile(at: number): readonly [name: string, content: Uint8Array] {
  const kinds: readonly (readonly [string, () => Uint8Array])[] = [
    ['random.md', () => Buffer.concat([Buffer.from([0, 255, 254, 0]), randomBytes(5_000)])],
    ['cut.pdf', () => Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n')],
    ['cut.docx', () => Buffer.concat([Buffer.from('PK\x03\x04'), randomBytes(2_000)])],
    ['program.txt', () => Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01\0'), randomBytes(3_000)])],
  ];
  const [name, content] = kinds[at % kinds.length]!;
  return [`bad/${at}-${name}`, content()];
}

it('2,000 files with 20 bad ones: 1,980 added, 20 named with their reasons; a second run reads nothing again', async () => {
  const here = folder();
  for (let at = 0; at < 1_980; at++) {
    here.write({
      [`docs/${at % 40}/${at}.md`]: guide(`Document ${at}`, `Topic ${at}`, `主题 ${at}`, 'Shared'),
    });
  }
  for (let at = 0; at < 20; at++) {
    const [name, content] = badFile(at);
    here.write({ [`docs/${name}`]: content });
  }
  const first = await here.strata('add', 'docs', '--json');
  expect(first.code).toBe(1);
  const report = first.json<Report>();
  expect(report).toMatchObject({ added: 1_980, failed: 20 });
  const failed = report.entries.filter(({ outcome }) => outcome === 'failed');
  for (const { source_path, reason } of failed) {
    expect(source_path).toMatch(/^docs\/bad\//);
    expect(reason).toMatch(new RegExp(`^${source_path}: .{8,}`));
    expect(first.stderr).toContain(`strata: ${reason}\n`);
  }
  expect(first.stderr.trimEnd().split('\n')).toHaveLength(20);

  const before = readFileSync(join(here.path, '.strata/library.db'));
  const second = await here.strata('add', 'docs', '--json');
  // What failed before and has not changed is no news.
  expect(second.code).toBe(0);
  expect(second.json<Report>()).toMatchObject({ added: 0, unchanged: 1_980, failed: 20 });
  if (!existsSync(join(here.path, '.strata/library.db-wal'))) {
    expect(readFileSync(join(here.path, '.strata/library.db')).equals(before)).toBe(true);
  }

  const shown = (await here.strata('show', 'docs/0/0.md', '--json')).json<{ document: { id: string } }>();
  renameSync(join(here.path, 'docs/0/0.md'), join(here.path, 'docs/renamed.md'));
  const third = (await here.strata('add', 'docs', '--json')).json<Report>();
  expect(third).toMatchObject({ added: 0, renamed: 1, unchanged: 1_979, failed: 20 });
  expect(third.entries).toContainEqual(
    expect.objectContaining({ outcome: 'renamed', id: shown.document.id, from: 'docs/0/0.md' }),
  );
});
