import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sqliteBackend } from './backend.js';

it('leaves everything in the one file when it is closed, also after a check', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-close-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'library.db');
  const backend = await sqliteBackend({ path });
  await backend.commit({ records: [{ kind: 'settings', id: 'one', value: 'x'.repeat(100_000) }] });
  expect(await backend.check()).toEqual([]);
  await backend.close();
  // A bit that flips in a log that is still needed would bring back an older state unnoticed.
  const log = `${path}-wal`;
  expect(existsSync(log) ? statSync(log).size : 0).toBe(0);
});
