import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { folder, guide } from './strata.js';

interface Answer {
  readonly results: readonly {
    readonly item: { readonly source_path: string };
    readonly stale?: boolean;
    readonly matched_chunks: readonly { readonly citation: { readonly ref: string } }[];
  }[];
}

describe.each(['sqlite', 'json'])('nothing lost, kept by %s', (store) => {
  it('B1 verify: unchanged, moved, changed and gone, and hits of changed files are stale', async () => {
    const here = folder({
      'guide.md': guide('Guide', 'Apples', 'Bananas'),
      'other.md': guide('Other', 'Cherries'),
    });
    expect((await here.strata('add', '.', '--store', store, '--strategy', 'h2')).code).toBe(0);
    const search = async () => (await here.strata('search', 'bananas', '--json')).json<Answer>().results[0]!;
    const { ref } = (await search()).matched_chunks[0]!.citation;
    expect((await search()).stale).toBeUndefined();
    expect(await here.strata('verify', ref)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^unchanged /),
    });

    here.write({ 'guide.md': guide('Guide', 'Apples', 'Apricots', 'Bananas') });
    expect((await search()).stale).toBe(true);
    const moved = await here.strata('verify', ref, '--json');
    expect(moved).toMatchObject({ code: 0 });
    expect(moved.json()).toMatchObject({
      status: 'moved',
      checked: 'source',
      place: { citation: { title_path: ['Guide', 'Bananas'] } },
    });

    here.write({
      'guide.md': guide('Guide', 'Apples', 'Bananas').replace('Point 3 about Bananas', 'Item 3 on Bananas'),
    });
    const changed = await here.strata('verify', ref);
    expect(changed).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('[-Point-]{+Item+} 3 [-about-]{+on+} Bananas'),
    });
    expect(changed.stderr).toContain('% alike');

    here.write({ 'guide.md': guide('Guide', 'Apples'), 'other.md': guide('Other', 'Cherries', 'Bananas') });
    expect((await here.strata('verify', ref, '--json')).json()).toMatchObject({
      status: 'moved',
      place: { citation: { source_path: 'other.md' } },
    });
    here.write({ 'other.md': guide('Other', 'Cherries') });
    const gone = await here.strata('verify', ref);
    expect(gone).toMatchObject({
      code: 1,
      stdout: 'gone\n',
      stderr: expect.stringContaining('no longer holds this passage'),
    });
    expect(await here.strata('verify', 'not a citation')).toMatchObject({ code: 1 });
  });

  it('backup of a library, restore of it, and doctor says that all is well', async () => {
    const here = folder({ 'a.md': guide('Alpha', 'Apples') });
    await here.strata('add', '.', '--store', store);
    expect((await here.strata('backup', 'copy')).stdout).toMatch(
      /^Copied 1 document, \d+ passages?, .* MB to /,
    );
    await here.strata('remove', 'a.md');
    expect(await here.strata('restore', 'copy')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--replace'),
    });
    expect((await here.strata('restore', '--replace', 'copy')).code).toBe(0);
    expect((await here.strata('list', '-q')).stdout).toBe('a.md\n');
    expect(await here.strata('doctor')).toMatchObject({ code: 0, stdout: 'All is well.\n' });
    rmSync(`${here.path}/.strata`, { recursive: true });
    expect((await here.strata('restore', 'copy')).code).toBe(0);
    expect((await here.strata('search', 'apples')).stdout).toContain('Alpha');
    expect((await here.strata('restore', 'copy', '--library', 'elsewhere')).code).toBe(0);
    expect((await here.strata('list', '-q', '--library', 'elsewhere')).stdout).toBe('a.md\n');
  });

  it('B6 a command that waits for another writer says so after a second, then does its work', async () => {
    const here = folder({ 'a.md': guide('Alpha', 'Apples'), 'b.md': guide('Beta', 'Bananas') });
    await here.strata('add', 'a.md', '--store', store);
    const release = await hold(store, join(here.path, '.strata'));
    const told: Promise<void>[] = [];
    const runs = [
      ['add', 'b.md'],
      ['remove', 'a.md'],
    ].map((args) =>
      here.run(args, {
        onStart: ({ stderr }) => {
          const look = (seen: () => void) =>
            stderr?.on('data', (text) => String(text).includes('waiting for it') && seen());
          told.push(new Promise(look));
        },
      }),
    );
    // Readers do not wait.
    expect(await here.strata('search', 'apples')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Alpha'),
    });
    await Promise.race([Promise.all(told), Promise.all(runs)]);
    release();
    for (const run of await Promise.all(runs)) {
      expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('waiting for it') });
    }
    expect((await here.strata('list', '-q')).stdout).toBe('b.md\n');
  });
});

/** Another writer that takes its time. */
async function hold(store: string, location: string): Promise<() => void> {
  if (store === 'json') {
    const { acquireLock } = (await import(
      fileURLToPath(new URL('../dist/store/lock/lock.js', import.meta.url))
    )) as {
      acquireLock: (folder: string) => Promise<{ release(): Promise<void> }>;
    };
    const lock = await acquireLock(join(location, 'json', 'lock'));
    return () => void lock.release();
  }
  const database = new DatabaseSync(join(location, 'library.db'));
  database.exec('BEGIN IMMEDIATE');
  return () => {
    database.exec('ROLLBACK');
    database.close();
  };
}

it('S1.3 a search that leaves a damaged slice out says so, and doctor makes it again', async () => {
  const here = folder({ 'a.md': guide('Alpha', 'Apples', 'Apricots'), 'b.md': guide('Beta', 'Bananas') });
  await here.strata('add', '.', '--store', 'json', '--strategy', 'h2');
  const library = join(here.path, '.strata', 'json');
  const slices = (readdirSync(library, { recursive: true }) as string[]).filter((name) =>
    /^\d{5}-/.test(basename(name)),
  );
  const apricots = slices.find((name) =>
    readFileSync(join(library, name), 'utf8').includes('"title": "Apricots"'),
  )!;
  writeFileSync(
    join(library, apricots),
    readFileSync(join(library, apricots), 'utf8').replace('when it helps', 'when it harms'),
  );
  const search = await here.strata('search', 'apricots apples', '--json');
  expect(search.stdout).not.toContain('when it harms');
  expect(search.json()).toMatchObject({
    results: [{ item: { title: 'Alpha' } }],
    notices: [expect.stringContaining('damaged')],
  });
  expect(await here.strata('doctor')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is damaged'),
  });
  expect(await here.strata('doctor', '--fix')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('repaired'),
  });
  expect((await here.strata('search', 'apricots', '--json')).json()).toMatchObject({ notices: [] });
});
