import { describe, expect, it } from 'vitest';
import { chunkSettings } from '../../chunk/settings.js';
import { mintId } from '../../model/id.js';
import { packRecords } from '../../store/records.js';
import type { DocumentJob } from '../worker/job.js';
import { perform } from '../worker/perform.js';
import { type DocumentLimits, documentLimits } from './limits.js';

const MEGABYTE = 2 ** 20;

function job(text: string, more: Partial<DocumentLimits> = {}): DocumentJob {
  const bytes = new TextEncoder().encode(text);
  const limits = { ...documentLimits(bytes.byteLength, false), ...more };
  const from = { bytes, bytes_hash: '', facts: {}, updated_at: '', name: 'a.md', named: true };
  const places = { doc_id: mintId(), source: 'file:a.md', source_path: 'a.md', name: 'a.md' };
  const request = { ...places, settings: chunkSettings(), updated_at: '', metadata: {} };
  return { kind: 'document', from, request, driver: 'memory', limits };
}

const done = (asked: DocumentJob) =>
  perform(
    asked,
    async () => packRecords,
    () => {},
  );

describe('what a document may take', () => {
  it('B15 grows with the file on the command line, and is tight in a server', () => {
    const small = documentLimits(1_060, false);
    expect(small).toMatchObject({ seconds: expect.closeTo(10, 1), memory_megabytes: 352 });
    const large = documentLimits(100 * MEGABYTE, false);
    expect(large.seconds).toBeGreaterThanOrEqual(300);
    expect(large.memory_megabytes).toBeGreaterThanOrEqual(1_024);
    for (const size of [0, 1_060, 100 * MEGABYTE]) {
      expect(documentLimits(size, true)).toMatchObject({ seconds: 10, memory_megabytes: 512 });
      expect(documentLimits(size, false).written).toBeLessThanOrEqual(20 * size + 4 * MEGABYTE);
    }
  });

  it('B15 more sections, passages or bytes than its file may have is an error that says so', async () => {
    const text = Array.from({ length: 40 }, (_, at) => `# H${at}\n\n${'some words '.repeat(60)}\n`).join(
      '\n',
    );
    expect(await done(job(text))).toMatchObject({ write: { document: { title: 'H0' } } });
    for (const [limit, message] of [
      [{ sections: 39 }, /40 sections, more than the 39/],
      [{ chunks: 3 }, /passages, more than the 3 /],
      [{ written: 1_000 }, /bytes in the library, more than the 1000 /],
    ] as const) {
      await expect(done(job(text, limit))).rejects.toMatchObject({
        code: 'LIMIT',
        message: expect.stringMatching(message),
      });
    }
  });
});
