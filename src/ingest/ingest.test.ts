import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { chunkSettings } from '../chunk/settings.js';
import { StrataError } from '../model/errors.js';
import type { Backend } from '../store/backend.js';
import { memoryBackend } from '../store/memory/memory.js';
import { packRecords } from '../store/records.js';
import type { AddEntry } from './add-report.js';
import { type IngestParts, ingest } from './ingest.js';
import { allDocuments } from './known.js';

const PATHS = ['a.md', 'b.md', 'sub/c.md', 'sub/d.md', 'e.txt'];
const TEXTS = ['# One\n\nfirst', '# Two\n\nsecond', '# 三\n\n第三', '', 'plain words'];

type Act =
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  | { readonly do: 'delete'; readonly path: string }
  | { readonly do: 'touch'; readonly path: string }
  | { readonly do: 'move'; readonly path: string; readonly to: string }
  | { readonly do: 'add' };

const path = fc.constantFrom(...PATHS);
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constant('write' as const), path, text: fc.constantFrom(...TEXTS) }),
  fc.record({ do: fc.constant('delete' as const), path }),
  fc.record({ do: fc.constant('touch' as const), path }),
  fc.record({ do: fc.constant('move' as const), path, to: path }),
  fc.constant({ do: 'add' as const }),
);

describe('ingest', () => {
  it('a file that is written again within one tick of the clock, with the same size, is read again', async () => {
    const root = mkdtempSync(join(tmpdir(), 'strata-ingest-'));
    const file = join(root, 'a.md');
    const parts = partsOn(memoryBackend(), root);
    const now = 1_700_000_000;
    vi.useFakeTimers({ toFake: ['Date'], now: now * 1000 + 3 });
    try {
      writeFileSync(file, 'first words');
      utimesSync(file, now, now);
      await ingest(parts, [file], {});
      writeFileSync(file, 'other words');
      utimesSync(file, now, now);
      const { entries } = await ingest(parts, [file], {});
      expect(entries.map(({ outcome }) => outcome)).toEqual(['changed']);
    } finally {
      vi.useRealTimers();
      rmSync(root, { recursive: true, force: true });
    }
  });

  it('whatever happens to the files, add --sync leaves the library equal to the folder, and a second run changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 14 }), async (acts) => {
        const root = mkdtempSync(join(tmpdir(), 'strata-ingest-'));
        const folder = join(root, 'docs');
        const files = new Map<string, string>();
        const parts = partsOn(memoryBackend(), root);
        // A clock of our own: two writes within a millisecond must not look like one.
        let clock = 1_700_000_000;
        const stamp = (name: string): void => utimesSync(join(folder, name), clock, clock++);
        try {
          mkdirSync(join(folder, 'sub'), { recursive: true });
          for (const step of [...acts, { do: 'add' } as const]) {
            if (step.do === 'add') await syncAndCompare(parts, folder, files);
            else change(step, folder, files, stamp);
          }
          const again = await ingest(parts, [folder], { sync: true });
          expect(again.entries.every(({ outcome }) => outcome === 'unchanged')).toBe(true);
          expect(again.chunks).toEqual({ kept: 0, added: 0, removed: 0 });
        } finally {
          rmSync(root, { recursive: true, force: true });
        }
      }),
      { numRuns: 60 },
    );
  });

  it('a document the store refuses fails alone; a store that fails ends the run', async () => {
    const root = mkdtempSync(join(tmpdir(), 'strata-ingest-'));
    try {
      for (const name of ['a.md', 'b.md', 'c.md']) writeFileSync(join(root, name), `# ${name}\n`);
      const refusing = failingOn(memoryBackend(), 'b.md', new StrataError('INVALID_RECORD', 'no'));
      const { entries } = await ingest(partsOn(refusing, root), [root], {});
      expect(entries.map(({ outcome, source_path }) => [source_path, outcome]).sort()).toEqual([
        ['a.md', 'added'],
        ['b.md', 'failed'],
        ['c.md', 'added'],
      ]);
      const full = failingOn(memoryBackend(), 'b.md', new StrataError('STORE_FAILED', 'the disk is full'));
      await expect(ingest(partsOn(full, root), [root], {})).rejects.toMatchObject({ code: 'STORE_FAILED' });
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

  it('two writers that add the same files at once both succeed, and each file is one document', async () => {
    const root = mkdtempSync(join(tmpdir(), 'strata-ingest-'));
    const backend = memoryBackend();
    PATHS.slice(0, 4).forEach((name, at) => {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), `# File ${at}\n\nText number ${at}.\n`);
    });
    const add = () => ingest(partsOn(backend, root), [root], { workers: 0 });
    const entries = (await Promise.all([add(), add()])).map((run) => run.entries);
    const outcomes = entries.flat().map(({ outcome }) => outcome);
    expect(outcomes.sort()).toEqual([...Array(4).fill('added'), ...Array(4).fill('unchanged')]);
    expect((await backend.counts()).documents).toBe(4);
    rmSync(root, { recursive: true });
  });

  it('remembers files that cannot be parsed until they change', async () => {
    const root = mkdtempSync(join(tmpdir(), 'strata-ingest-'));
    try {
      const bad = join(root, 'bad.md');
      writeFileSync(bad, Buffer.from([0, 1, 2, 3, 0, 255, 254, 0, 7]));
      const parts = partsOn(memoryBackend(), root);
      const first = await ingest(parts, [root], {});
      expect(first.entries).toMatchObject([{ outcome: 'failed', source_path: 'bad.md' }]);
      expect(await parts.backend.records('failure')).toHaveLength(1);
      const again = first.entries.map((entry) => ({ ...entry, known: true }));
      expect((await ingest(parts, [root], {})).entries).toEqual(again);
      writeFileSync(bad, '# Good now\n');
      expect((await ingest(parts, [root], {})).entries).toMatchObject([{ outcome: 'added' }]);
      expect(await parts.backend.records('failure')).toEqual([]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

  it('files that workers read are told and kept as those read here; one that moved or was touched is known again', async () => {
    const root = mkdtempSync(join(tmpdir(), 'strata-ingest-'));
    try {
      const folder = join(root, 'docs');
      mkdirSync(folder);
      for (let at = 0; at < 20; at++) {
        writeFileSync(join(folder, `${at}.md`), `# Page ${at}\n\nword ${at}\n`);
        utimesSync(join(folder, `${at}.md`), 1_600_000_000, 1_600_000_000);
      }
      writeFileSync(join(folder, 'picture.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0]));
      writeFileSync(join(folder, 'broken.md'), Buffer.from([0, 1, 2, 3, 0, 255, 254, 0, 7]));
      const [here, there] = [partsOn(memoryBackend(), root), partsOn(memoryBackend(), root)];
      const tell = ({ id, ...entry }: AddEntry) => entry;
      const told = (await ingest(here, [folder], { workers: 0 })).entries.map(tell);
      expect((await ingest(there, [folder], { workers: 2 })).entries.map(tell)).toEqual(told);
      expect(told.map(({ outcome }) => outcome).sort()).toEqual([
        ...new Array(20).fill('added'),
        'failed',
        'skipped',
      ]);
      const kept = async (parts: IngestParts) => {
        const documents = [];
        for await (const { id, ...document } of allDocuments(parts.backend)) {
          documents.push({ ...document, text: (await parts.backend.content(id))?.text });
        }
        return documents;
      };
      expect(await kept(there)).toEqual(await kept(here));
      renameSync(join(folder, '3.md'), join(folder, 'three.md'));
      utimesSync(join(folder, '4.md'), 1_700_000_000, 1_700_000_000);
      writeFileSync(join(folder, '5.md'), '# Page 5\n\nnew words\n');
      const again = await ingest(there, [folder], { workers: 2, sync: true });
      expect(again.entries.filter(({ outcome }) => outcome !== 'unchanged')).toMatchObject([
        { outcome: 'changed', source_path: 'docs/5.md' },
        { outcome: 'failed', source_path: 'docs/broken.md' },
        { outcome: 'skipped', source_path: 'docs/picture.png' },
        { outcome: 'renamed', source_path: 'docs/three.md', from: 'docs/3.md' },
      ]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});

const partsOn = (backend: Backend, root: string): IngestParts => ({
  backend,
  root,
  location: join(root, '.strata'),
  settings: chunkSettings(),
  packerOf: async () => packRecords,
  guarded: false,
  onNotice: () => {},
});

function change(
  step: Exclude<Act, { do: 'add' }>,
  folder: string,
  files: Map<string, string>,
  stamp: (name: string) => void,
): void {
  const before = files.get(step.path);
  if (step.do === 'write') {
    mkdirSync(dirname(join(folder, step.path)), { recursive: true });
    writeFileSync(join(folder, step.path), step.text);
    files.set(step.path, step.text);
    stamp(step.path);
  } else if (before === undefined) {
    // Nothing there to act on.
  } else if (step.do === 'delete') {
    rmSync(join(folder, step.path));
    files.delete(step.path);
  } else if (step.do === 'touch') {
    stamp(step.path);
  } else if (step.to !== step.path) {
    renameSync(join(folder, step.path), join(folder, step.to));
    files.delete(step.path);
    files.set(step.to, before);
  }
}

async function syncAndCompare(
  parts: IngestParts,
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<void> {
  const before = new Map<string, string>();
  for await (const { source_path, id } of allDocuments(parts.backend)) before.set(id, source_path);
  const { entries } = await ingest(parts, [folder], { sync: true });
  const kept = new Map<string, string>();
  for await (const document of allDocuments(parts.backend)) {
    kept.set(document.source_path, (await parts.backend.content(document.id))?.text ?? '');
    if (before.has(document.id) && before.get(document.id) !== document.source_path) {
      expect(entries).toContainEqual(expect.objectContaining({ outcome: 'renamed', id: document.id }));
    }
  }
  expect(Object.fromEntries(kept)).toEqual(
    Object.fromEntries([...files].map(([name, text]) => [`docs/${name}`, text])),
  );
}

function failingOn(backend: Backend, path: string, error: Error): Backend {
  return {
    ...backend,
    commit: async (change) => {
      if (change.put?.some(({ document }) => document.source_path === path)) throw error;
      return backend.commit(change);
    },
  };
}
