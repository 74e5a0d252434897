import { describe, expect, it } from 'vitest';
import { manyPages } from './hostile.js';
import { folder } from './strata.js';

interface Inspection {
  readonly children: readonly { readonly content: string; readonly loc: { readonly page?: number } }[];
}

describe('PDF, the whole way', () => {
  it('S2.4 a PDF is cut into chunks that are saved with it, and found with their page', async () => {
    const here = folder({ 'book.pdf': manyPages(40) });
    expect(await here.strata('add', 'book.pdf')).toMatchObject({ code: 0, stderr: '' });
    const { documents } = (await here.strata('list', '--json')).json<{
      documents: { id: string; chunk_count: number; metadata: { format: string; page_count: number } }[];
    }>();
    expect(documents).toMatchObject([{ metadata: { format: 'pdf', page_count: 40 } }]);
    const { children } = (await here.strata('inspect', documents[0]!.id, '--json')).json<Inspection>();
    expect(children.length).toBe(documents[0]!.chunk_count);
    expect(children.length).toBeGreaterThan(1);
    expect(children.every(({ content, loc }) => content.length > 0 && loc.page! >= 1)).toBe(true);
    const found = (await here.strata('search', '"page 33 says"', '--json')).json<{
      results: {
        matched_chunks: { loc: { page: number; page_end?: number }; citation: { ref: string } }[];
      }[];
    }>();
    const { loc, citation } = found.results[0]!.matched_chunks[0]!;
    expect(loc.page).toBeLessThanOrEqual(33);
    expect(loc.page_end ?? loc.page).toBeGreaterThanOrEqual(33);
    expect(citation.ref).toContain('book.pdf');
  });

  it('S2.4 a PDF whose text cannot be had is reported with the reason, the others are saved', async () => {
    const whole = manyPages(2);
    const here = folder({ 'good.pdf': whole, 'cut.pdf': whole.subarray(0, 60), 'old.pdf': '%PDF-1.4\n' });
    const { code, stdout, stderr } = await here.strata('add', '.');
    expect(code).toBe(1);
    expect(stdout).toMatch(/1 added, 2 failed/);
    expect(stderr.trimEnd().split('\n').sort()).toEqual([
      expect.stringMatching(/^strata: cut\.pdf: the PDF is damaged/),
      expect.stringMatching(/^strata: old\.pdf: the PDF is damaged/),
    ]);
    expect((await here.strata('search', 'page 2 says')).stdout).toContain('good.pdf');
  });
});
