import { spawn } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deflatedRun, entityBomb, manyPages, officeFile, pdfBomb, pdfCycle, yamlBomb } from './hostile.js';
import { folder, guide } from './strata.js';

interface Report {
  readonly added: number;
  readonly failed: number;
  readonly entries: readonly {
    readonly outcome: string;
    readonly source_path: string;
    readonly chunk_count?: number;
    readonly code?: string;
    readonly reason?: string;
  }[];
}

const MEGABYTE = 2 ** 20;
const PATIENT = 180_000;
const wordDocument = (text: string): string =>
  `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`;

/** What each may end as; INTERNAL, a crash and a hang are never among them. */
const HOSTILE: Readonly<Record<string, readonly [content: () => string | Uint8Array, ends: RegExp]>> = {
  'bomb.docx': [
    () => officeFile('word/document.xml', { data: deflatedRun(600), deflated: 600 * MEGABYTE }),
    /^LIMIT$/,
  ],
  'liar.docx': [() => officeFile('word/document.xml', { data: deflatedRun(600), deflated: 100 }), /^LIMIT$/],
  'bomb.xlsx': [
    () => officeFile('xl/workbook.xml', { data: deflatedRun(600), deflated: 600 * MEGABYTE }),
    /^(LIMIT|CORRUPT|UNSUPPORTED)$/,
  ],
  'bomb.pptx': [
    () => officeFile('ppt/presentation.xml', { data: deflatedRun(600), deflated: 600 * MEGABYTE }),
    /^(LIMIT|CORRUPT|UNSUPPORTED)$/,
  ],
  'entities.docx': [
    () => officeFile('word/document.xml', { data: Buffer.from(entityBomb(wordDocument)) }),
    /^(LIMIT|CORRUPT)$/,
  ],
  'entities.xml': [() => entityBomb((words) => `<b>${words}</b>`), /^added$/],
  'entities.html': [() => entityBomb((words) => `<html><body>${words}</body></html>`), /^added$/],
  'bomb.yaml': [yamlBomb, /^(added|LIMIT)$/],
  'pages.pdf': [() => manyPages(10_000), /^added$/],
  'cycle.pdf': [pdfCycle, /^(added|CORRUPT)$/],
  'deep.json': [() => '['.repeat(100_000) + ']'.repeat(100_000), /^(added|LIMIT)$/],
  'deep.html': [() => `${'<div>'.repeat(50_000)}words${'</div>'.repeat(50_000)}`, /^(added|LIMIT)$/],
  'deep.md': [() => `${'> '.repeat(10_000)}words\n`, /^added$/],
  'brackets.md': [() => '['.repeat(50_000), /^added$/],
  'links.md': [() => '[a]('.repeat(50_000), /^added$/],
  'brace.ts': [() => '{'.repeat(100_000), /^added$/],
  'line.txt': [() => 'word '.repeat(400_000), /^added$/],
  'marks.txt': [() => `a${'\u0301'.repeat(200_000)}`, /^added$/],
  'zeros.bin': [() => new Uint8Array(MEGABYTE), /^BINARY$/],
};

describe('hostile input', () => {
  it(
    'each file gives a clear error or a result, and the run goes on',
    async () => {
      const files = Object.entries(HOSTILE).map(([name, [content]]) => [`d/${name}`, content()] as const);
      const here = folder({ ...Object.fromEntries(files), 'd/good.md': guide('Good', 'Grapes') });
      symlinkSync('.', join(here.path, 'd/loop'));
      const names = [...files.map(([name]) => name), 'd/good.md'];
      const { code, stdout, stderr } = await here.strata('add', '--json', ...names);
      expect(code).toBe(1);
      const report = JSON.parse(stdout) as Report;
      const ends = new Map(report.entries.map((entry) => [entry.source_path, entry]));
      expect([...ends.keys()].sort()).toEqual([...names].sort());
      for (const [name, [, allowed]] of Object.entries(HOSTILE)) {
        const { outcome, code: why } = ends.get(`d/${name}`)!;
        expect(`${name} ${outcome === 'added' ? outcome : why}`).toMatch(
          new RegExp(` ${allowed.source.replace(/^\^/, '')}`),
        );
        if (outcome === 'failed') expect(stderr).toContain(`d/${name}: `);
      }
      expect(ends.get('d/pages.pdf')!.chunk_count).toBeGreaterThan(100);
      expect((await here.strata('search', 'grapes')).stdout).toContain('d/good.md');
      expect((await here.strata('search', '"page 9876 says"')).stdout).toMatch(/pages\.pdf:p\.\d+-?9?8?\d*/);
    },
    PATIENT,
  );

  it(
    'a file that expands without end stops at its time, the others do not wait for it',
    async () => {
      const here = folder({ 'bomb.pdf': pdfBomb(), 'good.md': guide('Good', 'Grapes') });
      const { code, stdout } = await here.run(['add', '--json', '.'], {
        env: { STRATA_PARSE_SECONDS: '3', STRATA_PARSE_MEMORY_MB: '1500' },
      });
      expect(code).toBe(1);
      expect(JSON.parse(stdout) as Report).toMatchObject({ added: 1, failed: 1 });
      const failed = (JSON.parse(stdout) as Report).entries.find((entry) => entry.outcome === 'failed')!;
      expect(failed).toMatchObject({ source_path: 'bomb.pdf', code: 'LIMIT' });
      expect(failed.reason).toMatch(/took longer|memory/);
    },
    PATIENT,
  );

  it(
    'a file that changes while it is read is read whole the next time',
    async () => {
      const here = folder({ 'd/steady.md': guide('Steady', 'Stones') });
      const path = join(here.path, 'd/moving.txt');
      // Grows, shrinks, vanishes and comes back as fast as it can.
      const writer = spawn(process.execPath, [
        '-e',
        `const fs = require('node:fs');
         for (let at = 0; ; at++) {
           fs.writeFileSync(${JSON.stringify(path)}, ('Round ' + at + ' of words. ').repeat(at % 5000));
           if (at % 7 === 0) fs.rmSync(${JSON.stringify(path)});
         }`,
      ]);
      onTestFinished(() => void writer.kill('SIGKILL'));
      for (let round = 0; round < 3; round++) {
        const { stderr } = await here.strata('add', 'd');
        expect(stderr).not.toMatch(/defect|INTERNAL/);
      }
      writer.kill('SIGKILL');
      await new Promise((resolve) => writer.on('close', resolve));
      here.write({ 'd/moving.txt': 'It stands still at last.' });
      expect(await here.strata('add', 'd')).toMatchObject({ code: 0, stderr: '' });
      const { documents } = (await here.strata('list', '--json')).json<{
        documents: { source_path: string; summary: string }[];
      }>();
      expect(documents.map(({ source_path }) => source_path)).toEqual(['d/moving.txt', 'd/steady.md']);
      expect(documents[0]!.summary).toBe('It stands still at last.');
    },
    PATIENT,
  );
});
