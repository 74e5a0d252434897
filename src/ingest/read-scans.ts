import { isStrataError, StrataError } from '../model/errors.js';
import type { AddOptions } from './add-options.js';
import type { IngestLog } from './ingest-log.js';
import { ReadingQueue } from './prepare/prepare-pool.js';
import { estimate, type Ocr, type Scan } from './scans.js';
import type { OcrSetup, PreparedDocument } from './worker/job.js';

interface ScanParts {
  readonly ocr: Ocr;
  readonly driver: string;
  readonly options: AddOptions;
  readonly log: IngestLog;
  readonly onNotice: (line: string) => void;
  /** Puts a document that was read into the library. */
  readonly put: (scan: Scan, read: PreparedDocument) => Promise<void>;
}

/**
 * Pages that are pictures, after everything else: reading one takes seconds. What is interrupted is read next time.
 * Returns what the report says of it.
 */
export async function readScans(scans: readonly Scan[], parts: ScanParts): Promise<string | undefined> {
  const { ocr, log, onNotice, options } = parts;
  const { signal } = options;
  const total = scans.reduce((sum, { pages }) => sum + pages, 0);
  if (total === 0 || signal?.aborted) return undefined;
  const setup = await ocr.open();
  if (setup === null) {
    await leaveUnread(scans, log);
    return undefined;
  }
  const [pages, files] = [plural(total, 'scanned page'), plural(scans.length, 'file')];
  const time = estimate(total, setup.lanes);
  onNotice(
    `Reading ${pages} of ${files} by OCR, about ${time}; Ctrl-C keeps what is read for the next time.`,
  );
  const started = performance.now();
  await readEach(scans, total, setup, parts);
  await log.finish();
  if (signal?.aborted) return undefined;
  const line = `Read ${pages} of ${files} by OCR in ${Math.round((performance.now() - started) / 1000)} s.`;
  onNotice(line);
  return line;
}

async function readEach(
  scans: readonly Scan[],
  total: number,
  setup: OcrSetup,
  { driver, options, log, put }: ScanParts,
): Promise<void> {
  const { signal, onProgress, password } = options;
  const more = { driver, ocr: setup, ...(password !== undefined && { password }) };
  const queue = new ReadingQueue();
  let before = 0;
  for (const scan of scans) {
    if (signal?.aborted) break;
    const { candidate, from, request } = scan;
    const tell = (done: number): void =>
      onProgress?.({ stage: 'Reading scans', done, total, item: candidate.source_path });
    const onPage = (page: number): void => tell(before + Math.min(page, scan.pages));
    tell(before);
    try {
      const read = await queue.prepare({ from, request, ...more }, { signal, onPage });
      log.drop(candidate.source_path);
      await put(scan, read);
    } catch (error) {
      if (!isStrataError(error, 'ABORTED')) await log.fail(candidate, error);
    }
    before += scan.pages;
  }
  queue.close();
}

/** Without models everything is as if there were no OCR. */
async function leaveUnread(scans: readonly Scan[], log: IngestLog): Promise<void> {
  for (const { candidate, reason } of scans) {
    if (reason !== undefined) await log.fail(candidate, new StrataError('NEEDS_OCR', reason));
  }
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
