import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { picturePdf } from './picture-pdf.js';
import { folder } from './strata.js';

// Real models: fetched once into the user's own cache, and verified.
const env = { XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), HOME: homedir() };
const scan = readFileSync(join(import.meta.dirname, 'fixtures/scan.png'));

interface Found {
  readonly results: { matched_chunks: { content: string; citation: { ref: string } }[] }[];
}

describe('scans through the command line', () => {
  it('B14 a picture and a scanned PDF are read, found in both languages and cited by page', {
    timeout: 600_000,
  }, async () => {
    const here = folder({});
    here.write({ 'page.png': scan, 'scan.pdf': picturePdf(scan) });
    const added = await here.run(['add', 'page.png', 'scan.pdf'], { env });
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('2 added') });
    expect(added.stderr).toMatch(/Read 2 scanned pages of 2 files by OCR/);
    for (const [question, answer] of [
      ['恢复之前 校验和', '恢复之前先停下所有写入，再核对校验和。'],
      ['harbour pilot buoy', 'The harbour pilot boards at the outer buoy, one hour before high tide.'],
    ] as const) {
      const { results } = (await here.strata('search', question, '--json')).json<Found>();
      expect(results).toHaveLength(2);
      for (const { matched_chunks } of results) expect(matched_chunks[0]?.content).toContain(answer);
    }
    const shown = (await here.strata('search', 'harbour pilot buoy')).stdout;
    expect(shown).toContain('page.png:p.1 (OCR)');
    expect(shown).toContain('scan.pdf:p.1 (OCR)');
  });

  it('B14 with --ocr off both are reported, with the way to read them', async () => {
    const here = folder({});
    here.write({ 'page.png': scan, 'scan.pdf': picturePdf(scan) });
    const added = await here.run(['add', '--ocr', 'off', 'page.png', 'scan.pdf'], { env });
    expect(added.code).toBe(1);
    expect(added.stderr).toMatch(/page\.png: it is a picture: `strata add --ocr auto` reads/);
    expect(added.stderr).toMatch(/scan\.pdf: the PDF holds pictures of text only \(1 page\)/);
  });
});
