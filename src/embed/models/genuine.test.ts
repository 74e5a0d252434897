import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sha256 } from '../../model/hash.js';
import { isGenuine } from './genuine.js';
import { MODELS, type ModelEntry } from './manifest.js';

it('B15 a model is checked when it is loaded, also where size and time are those of the true one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-genuine-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = { path: 'model.onnx', bytes: 4, sha256: sha256('true'), sources: [] } as const;
  const entry: ModelEntry = { ...MODELS[0]!, files: [file] };
  const path = join(folder, 'model.onnx');
  const time = new Date('2026-01-01T00:00:00Z');
  writeFileSync(path, 'true');
  utimesSync(path, time, time);
  expect(await isGenuine(entry, folder)).toBe(true);
  expect(await isGenuine(entry, folder)).toBe(true);
  writeFileSync(path, 'fake');
  utimesSync(path, time, time);
  expect(await isGenuine(entry, folder)).toBe(false);
});
