import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { StrataError } from '../../model/errors.js';
import type { Tree } from '../../model/tree.js';
import { lines, writePdf } from '../../parse/pdf/pdf-writer.suite.js';
import { type DocumentLimits, documentLimits } from '../prepare/limits.js';
import type { Job } from './job.js';
import { WorkerQueue } from './worker-queue.js';

const job = (bytes: Uint8Array, more: Partial<DocumentLimits> = {}): Job => {
  const limits = { ...documentLimits(bytes.byteLength, false), ...more };
  return { kind: 'tree', input: { bytes, name: 'a.pdf', limits: limits.parse }, orText: false, limits };
};

const parse = async (bytes: Uint8Array, limits?: Partial<DocumentLimits>): Promise<Tree> => {
  const queue = new WorkerQueue();
  try {
    return (await queue.run(job(bytes, limits))) as Tree;
  } finally {
    queue.release();
  }
};

const failure = async (work: Promise<unknown>): Promise<StrataError> => {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StrataError);
  return error as StrataError;
};

const small = writePdf({ pages: [{ items: lines(['A small page of text.']) }] });
const page = {
  items: lines(Array.from({ length: 55 }, (_, at) => `Line ${at} of a page full of words to read`)),
};
const long = writePdf({ pages: Array.from({ length: 2000 }, () => page) });

/** Our parsing processes that are alive now. */
const processes = (): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        const parent = /\nPPid:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        return (
          Number(parent) === process.pid &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('engine/worker')
        );
      } catch {
        return false;
      }
    });

describe('parsing in a process of its own', () => {
  it('gives what the parser gives, and what it throws, one process after the other', async () => {
    expect((await parse(small)).text).toBe('A small page of text.');
    const [pid] = processes();
    expect(await failure(parse(Buffer.from('%PDF-1.7 broken')))).toMatchObject({ code: 'CORRUPT' });
    expect((await parse(small)).text).toBe('A small page of text.');
    expect(processes()).toEqual([pid]);
  });

  it('ends a file that takes too long, and goes on with the next', async () => {
    expect(await failure(parse(long, { seconds: 0.3 }))).toMatchObject({
      code: 'LIMIT',
      message: expect.stringMatching(/took longer/),
    });
    expect((await parse(small)).text).toBe('A small page of text.');
  });

  it('ends a file that takes too much memory', async () => {
    const error = await failure(parse(long, { memory_megabytes: 120 }));
    expect(error).toMatchObject({ code: 'LIMIT', message: expect.stringMatching(/120 MB/) });
  });

  it('reports a crash for the file at hand alone', async () => {
    const before = new Set(processes());
    const both = [failure(parse(long)), parse(small)] as const;
    await new Promise((resolve) => setTimeout(resolve, 300));
    const busy = processes().filter((pid) => before.size === 0 || before.has(pid));
    for (const pid of busy.slice(0, 1)) process.kill(pid, 'SIGSEGV');
    const [crash, tree] = await Promise.all(both);
    expect(crash).toMatchObject({ code: 'CORRUPT', message: expect.stringMatching(/crashed \(SIGSEGV\)/) });
    expect(tree.text).toBe('A small page of text.');
  });
});

describe('jobs that wait in one process', () => {
  const text = async (result: Promise<unknown>): Promise<string> => ((await result) as Tree).text;

  it('are answered in the order they came, each with its own result', async () => {
    const queue = new WorkerQueue(16);
    const files = ['one', 'two', 'three'].map((word) => writePdf({ pages: [{ items: lines([word]) }] }));
    const order: string[] = [];
    const texts = files.map((file) =>
      text(queue.run(job(file))).then((said) => {
        order.push(said);
        return said;
      }),
    );
    expect(await Promise.all(texts)).toEqual(['one', 'two', 'three']);
    expect(order).toEqual(['one', 'two', 'three']);
    queue.release();
  });

  it('begin again in another process when the one before them ends theirs', async () => {
    const queue = new WorkerQueue(16);
    const results = [
      text(queue.run(job(small))),
      failure(queue.run(job(long, { seconds: 1.5 }))),
      text(queue.run(job(small))),
      failure(queue.run(job(Buffer.from('%PDF-1.7 broken')))),
    ];
    expect(await Promise.all(results)).toMatchObject([
      'A small page of text.',
      { code: 'LIMIT', message: expect.stringMatching(/took longer/) },
      'A small page of text.',
      { code: 'CORRUPT' },
    ]);
    queue.release();
  });

  it('begin again alone when there was no memory left for them after others', async () => {
    const queue = new WorkerQueue(16);
    const before = new Set(processes());
    const seen = new Set<number>();
    const look = setInterval(() => {
      for (const pid of processes()) if (!before.has(pid)) seen.add(pid);
    }, 20);
    const memory_megabytes = 120;
    const results = [
      text(queue.run(job(small, { memory_megabytes }))),
      failure(queue.run(job(long, { memory_megabytes }))),
      text(queue.run(job(small, { memory_megabytes }))),
    ];
    expect(await Promise.all(results)).toMatchObject([
      'A small page of text.',
      { code: 'LIMIT', message: expect.stringMatching(/120 MB/) },
      'A small page of text.',
    ]);
    clearInterval(look);
    // One for the first, one in which the large file was alone, one for the last.
    expect(seen.size).toBe(3);
    queue.release();
  });
});
