import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WorkQueue } from './work-queue.js';

const file = (name: string, size: number) => ({ name, size });

describe('work for several workers', () => {
  it('gives every file to one worker, once', () => {
    const files = fc.array(
      fc.record({ name: fc.constantFrom('a.md', 'b.PDF', 'c.html', 'LICENSE'), size: fc.nat(100) }),
    );
    fc.assert(
      fc.property(
        files,
        fc.integer({ min: 1, max: 4 }),
        fc.infiniteStream(fc.nat(3)),
        (all, workers, turns) => {
          const queue = new WorkQueue(all, workers);
          const given: unknown[] = [];
          for (const turn of turns) {
            const next = queue.next(turn % workers);
            if (next === undefined) break;
            given.push(next);
          }
          expect(given).toHaveLength(all.length);
          expect(new Set(given)).toEqual(new Set(all));
        },
      ),
    );
  });

  it('keeps a worker to its kind, largest first, and helps with what is left', () => {
    const files = [file('1.md', 5), file('2.pdf', 90), file('3.md', 20), file('4.PDF', 10), file('5.md', 1)];
    const queue = new WorkQueue(files, 2);
    const names = [0, 1, 0, 1, 0, 1].map((worker) => queue.next(worker)?.name);
    expect(names).toEqual(['2.pdf', '3.md', '4.PDF', '1.md', '5.md', undefined]);
  });

  it('lets less wait in each worker the less is left', () => {
    const queue = new WorkQueue(
      Array.from({ length: 100 }, () => file('a.md', 1)),
      2,
    );
    expect(queue.share(16)).toBe(16);
    for (let at = 0; at < 60; at++) queue.next(at % 2);
    expect(queue.share(16)).toBe(10);
    for (let at = 0; at < 40; at++) queue.next(at % 2);
    expect(queue.share(16)).toBe(2);
  });

  it('gives a single worker the files as they come', () => {
    const files = [file('1.md', 5), file('2.pdf', 90), file('3.md', 20)];
    const queue = new WorkQueue(files, 1);
    expect([0, 0, 0].map((worker) => queue.next(worker))).toEqual(files);
  });
});
