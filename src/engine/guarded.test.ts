import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lines, writePdf } from '../parse/pdf/pdf-writer.suite.js';
import type { Library } from './library.js';
import { openLibrary } from './open.js';

let folder: string;
let library: Library;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'strata-guarded-'));
});
afterEach(async () => {
  await library.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = async (guarded: boolean): Promise<Library> => {
  library = await openLibrary({ library: join(folder, '.strata'), embedder: 'none', guarded });
  return library;
};

/** Our worker processes that are alive now. */
const workers = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      const isOurs = new RegExp(`\\nPPid:\\s*${process.pid}\\n`).test(
        readFileSync(`/proc/${pid}/status`, 'utf8'),
      );
      return isOurs && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('engine/worker');
    } catch {
      return false;
    }
  });

describe('a library of a server', () => {
  it.runIf(process.platform === 'linux')('B15 prepares even a note in a worker process', async () => {
    const here = await open(false);
    await here.addText({ title: 'Small', text: '# Small\n\nwords' });
    expect(workers()).toEqual([]);
    await here.close();
    const there = await open(true);
    await there.addText({ title: 'Other', text: '# Other\n\nwords' });
    expect(workers()).toHaveLength(1);
    expect((await there.search('words')).results).toHaveLength(2);
  });

  it('B15 a note is Markdown or text, whatever its bytes look like', async () => {
    const here = await open(true);
    const pdf = Buffer.from(writePdf({ pages: [{ items: lines(['Inside the page.']) }] })).toString('latin1');
    const json = `${'{"a":['.repeat(500)}1${']}'.repeat(500)}`;
    for (const [title, text] of Object.entries({ pdf, json, 'a.yaml': `[${','.repeat(60_000)}]` })) {
      await here.addText({ title, text });
      const { metadata } = await here.find(`note:${title}`);
      expect(metadata.format).toBe('markdown');
    }
  });

  it('B15 a file that hangs its parser is ended and named, and the server goes on', async () => {
    process.env.STRATA_PARSE_SECONDS = '0.3';
    try {
      const page = { items: lines(Array.from({ length: 55 }, (_, at) => `Line ${at} of a page of words`)) };
      writeFileSync(join(folder, 'long.pdf'), writePdf({ pages: Array.from({ length: 1500 }, () => page) }));
      const here = await open(true);
      const { entries } = await here.add([join(folder, 'long.pdf')]);
      expect(entries).toMatchObject([
        { outcome: 'failed', code: 'LIMIT', reason: expect.stringMatching(/long\.pdf: took longer/) },
      ]);
    } finally {
      delete process.env.STRATA_PARSE_SECONDS;
    }
    expect(await library.addText({ title: 'Next', text: 'words' })).toMatchObject({ added: 1 });
  });
});
