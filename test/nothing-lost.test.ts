import { rmSync } from 'node:fs';
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
    expect(changed).toMatchObject({ code: 1, stdout: expect.stringContaining('Item 3 on Bananas') });
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
    expect(await here.strata('verify', 'not a citation')).toMatchObject({ code: 2 });
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
  });
});
