import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sampleWrite } from '../../store/sample.js';
import { temporaryLibrary } from './library.suite.js';

const note = sampleWrite({ source: 'file:note.md', title: 'Note', parts: [{ heading: 'H', body: 'words' }] });

it('B6 a writer waits its turn, says so after a second, and readers do not wait', async () => {
  const library = temporaryLibrary();
  const backend = await library.open();
  const other = library.raw();
  other.exec('BEGIN IMMEDIATE');
  let told = 0;
  const commit = backend.commit({ put: [note], onWait: () => told++ });
  await sleep(300);
  expect(told).toBe(0);
  expect(await backend.counts()).toEqual({ documents: 0, chunks: 0 });
  await sleep(1000);
  expect(told).toBe(1);
  other.exec('COMMIT');
  await commit;
  expect(told).toBe(1);
  expect(await backend.counts()).toEqual({ documents: 1, chunks: 1 });
});

it('B6 gives up with STORE_BUSY when its patience ends, and stops when cancelled', async () => {
  const library = temporaryLibrary();
  const backend = await library.open({ patience_ms: 200 });
  const other = library.raw();
  other.exec('BEGIN IMMEDIATE');
  await expect(backend.commit({ put: [note] })).rejects.toMatchObject({ code: 'STORE_BUSY' });
  const controller = new AbortController();
  const patient = await library.open();
  const waiting = patient.commit({ put: [note], signal: controller.signal });
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
  other.exec('ROLLBACK');
  await backend.commit({ put: [note] });
  expect(await patient.counts()).toEqual({ documents: 1, chunks: 1 });
});
