import { fileURLToPath } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';
import { lines, writePdf } from '../../parse/pdf/pdf-writer.suite.js';
import { documentLimits } from '../prepare/limits.js';
import type { Job } from './job.js';
import { NOT_STARTED, WorkerProcess } from './worker-process.js';

/** What the process seems to occupy, in megabytes. */
let resident = 0;
vi.mock('./process-usage.js', async (original) => ({
  ...(await original<typeof import('./process-usage.js')>()),
  residentMegabytes: () => resident,
}));

const page = { items: lines(Array.from({ length: 55 }, (_, at) => `Line ${at} of a page of words`)) };
const bytes = writePdf({ pages: Array.from({ length: 300 }, () => page) });
const limits = documentLimits(bytes.byteLength, false);
const job: Job = {
  kind: 'tree',
  input: { bytes, name: 'a.pdf', limits: limits.parse },
  orText: false,
  limits,
};
const worker = new WorkerProcess(
  fileURLToPath(new URL('../../../dist/engine/worker.js', import.meta.url)),
  limits.memory_megabytes,
);
afterEach(() => worker.kill());

it('what earlier documents have left behind is not counted against the one at hand', async () => {
  resident = 60;
  await worker.run(job);
  resident = 60 + 200;
  const second = worker.run(job);
  resident = limits.memory_megabytes + 150;
  expect(await second).toMatchObject({ format: 'pdf' });
  resident = 60 + 200;
  const third = worker.run(job);
  resident = limits.memory_megabytes + 250;
  expect(await third).toBe(NOT_STARTED);
});
