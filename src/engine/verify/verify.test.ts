import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Citation } from '../../model/citation.js';
import { citation } from '../../search/show/cite.js';
import type { Library } from '../library.js';
import { openLibrary } from '../open.js';
import { partsOf } from '../open-library.js';
import { verifyCitation } from './verify.js';
import type { VerifyStatus } from './verify-status.js';

let folder: string;
let library: Library;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-verify-'));
  library = await openLibrary({ library: join(folder, '.strata'), embedder: 'none', store: 'json' });
});
afterEach(async () => {
  await library.close();
  await rm(folder, { recursive: true });
});

const write = (name: string, text: string) => writeFile(join(folder, name), text);
const add = (strategy = 'h2') =>
  library.add([folder], { cwd: folder, embed: false, sync: true, workers: 0, strategy });
/** The citation of the passage that holds these words, as a search gives it. */
async function cite(words: string): Promise<Citation> {
  const { results } = await library.search(`"${words}"`, { mode: 'keyword', limit: 1 });
  const hit = results[0]?.matched_chunks[0];
  if (hit === undefined) throw new Error(`nothing found for ${words}`);
  return hit.citation;
}
const verify = (cited: string | Citation) => verifyCitation(partsOf(library), cited);

/** The same numbers every time. */
function random(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

const SYLLABLES = [
  'ka',
  'lo',
  'mi',
  'ra',
  'ten',
  'vos',
  'pel',
  'dun',
  'shi',
  'gar',
  'fen',
  'bro',
  'wix',
  'que',
  'zan',
];
/** About as many as common Chinese text has, so that two passages share as few pairs as real ones do. */
const HAN = Array.from({ length: 900 }, (_, i) => String.fromCharCode(0x4e00 + i * 7));

function sentence(pick: (below: number) => number, zh: boolean): string {
  const length = 8 + pick(10);
  if (zh) return `${Array.from({ length: length * 2 }, () => HAN[pick(HAN.length)]).join('')}。`;
  const word = () => SYLLABLES[pick(15)]! + SYLLABLES[pick(15)]! + (pick(2) ? SYLLABLES[pick(15)]! : '');
  const words = Array.from({ length }, word);
  return `${words[0]![0]!.toUpperCase()}${words.join(' ').slice(1)}.`;
}

/** Long enough that a section is a chunk of its own under the default strategy. */
function paragraph(pick: (below: number) => number, zh: boolean): string {
  let text = '';
  while (text.length < 650) text += `${zh || text === '' ? '' : ' '}${sentence(pick, zh)}`;
  return text;
}

interface Sample {
  readonly name: string;
  readonly zh: boolean;
  readonly sections: { readonly heading: string; readonly body: string }[];
}

function sample(seed: number): Sample {
  const pick = random(seed);
  const zh = seed % 3 === 0;
  const sections = Array.from({ length: 4 + pick(4) }, (_, i) => ({
    heading: zh ? `第${i + 1}节 ${sentence(pick, true).slice(0, 6)}` : `Part ${i + 1} ${SYLLABLES[pick(15)]}`,
    body: paragraph(pick, zh),
  }));
  return { name: `doc-${String(seed).padStart(3, '0')}.md`, zh, sections };
}

const textOf = ({ name, sections }: Sample): string =>
  `# Title of ${name}\n\n${sections.map(({ heading, body }) => `## ${heading}\n\n${body}\n`).join('\n')}`;

/** An edit, and what a citation of the section `at` must be called afterwards. */
interface Edit {
  readonly name: string;
  readonly status: VerifyStatus;
  edit(
    given: Sample,
    at: number,
    pick: (below: number) => number,
  ): { own: Sample; other?: Sample['sections'][number] };
}

const without = (given: Sample, at: number): Sample => ({
  ...given,
  sections: given.sections.filter((_, i) => i !== at),
});
const withBody = (given: Sample, at: number, body: string): Sample => ({
  ...given,
  sections: given.sections.map((section, i) => (i === at ? { ...section, body } : section)),
});

const EDITS: readonly Edit[] = [
  { name: 'untouched', status: 'unchanged', edit: (given) => ({ own: given }) },
  {
    name: 'something added behind it',
    status: 'unchanged',
    edit: (given, _, pick) => ({
      own: { ...given, sections: [...given.sections, { heading: 'Added', body: paragraph(pick, given.zh) }] },
    }),
  },
  {
    name: 'something inserted before it',
    status: 'moved',
    edit: (given, _, pick) => ({
      own: {
        ...given,
        sections: [{ heading: 'Preface', body: paragraph(pick, given.zh) }, ...given.sections],
      },
    }),
  },
  {
    name: 'a sentence inserted inside it',
    status: 'changed',
    edit: (given, at, pick) => {
      const { body } = given.sections[at]!;
      const stops = [...body.matchAll(/[.。]/g)].map(({ index }) => index + 1);
      const cut = stops[Math.floor(stops.length / 2)]!;
      return {
        own: withBody(given, at, `${body.slice(0, cut)} ${sentence(pick, given.zh)}${body.slice(cut)}`),
      };
    },
  },
  {
    name: 'a word of it replaced',
    status: 'changed',
    edit: (given, at) => {
      const { body } = given.sections[at]!;
      const middle = body.indexOf(given.zh ? '。' : ' ', body.length >> 1);
      return { own: withBody(given, at, `${body.slice(0, middle)} REPLACED ${body.slice(middle + 6)}`) };
    },
  },
  { name: 'its section deleted', status: 'gone', edit: (given, at) => ({ own: without(given, at) }) },
  {
    name: 'its section moved to another file',
    status: 'moved',
    edit: (given, at) => ({ own: without(given, at), other: given.sections[at]! }),
  },
  {
    name: 'its section moved to the end of the file',
    status: 'moved',
    edit: (given, at) => ({
      own: { ...given, sections: [...without(given, at).sections, given.sections[at]!] },
    }),
  },
];

describe('B1 verify', () => {
  it.each([
    ['before', 'the library has not looked since'],
    ['after', 'the library has been brought up to date'],
  ])(
    'B1 tells unchanged, moved, changed and gone apart on 200 edited documents, %s (%s)',
    async (when) => {
      const samples = Array.from({ length: 200 }, (_, i) => sample(i + 1));
      for (const given of samples) await write(given.name, textOf(given));
      await write('shelf.md', '# Shelf\n\nNothing here yet.\n');
      await add('hierarchical');
      const citations = new Map<string, Citation>();
      for (const given of samples) {
        // Neither the first nor the last section: something stands before and behind it.
        const at = 1 + (samples.indexOf(given) % (given.sections.length - 2));
        const document = (await partsOf(library).backend.documentBySource(`file:${given.name}`))!;
        const chunks = await partsOf(library).backend.chunksOf(document.id);
        const chunk = chunks.find(({ title }) => title === given.sections[at]!.heading)!;
        citations.set(given.name, citation(document, chunk));
      }
      const shelf: string[] = [];
      for (const [i, given] of samples.entries()) {
        const at = 1 + (i % (given.sections.length - 2));
        const { own, other } = EDITS[i % EDITS.length]!.edit(given, at, random(1000 + i));
        await write(given.name, textOf(own));
        if (other !== undefined) shelf.push(`## ${other.heading}\n\n${other.body}\n`);
      }
      await write('shelf.md', `# Shelf\n\n${shelf.join('\n')}`);
      if (when === 'after') await add('hierarchical');

      const wrong: string[] = [];
      for (const [i, given] of samples.entries()) {
        const { name, status } = EDITS[i % EDITS.length]!;
        // In all forms a citation is passed on in: the record, its line, and the bare reference.
        const cited = citations.get(given.name)!;
        const forms = [cited, cited.ref, /strata:[^\]]+/.exec(cited.ref)![0]];
        const found = await verify(forms[i % 3]!);
        if (found.status !== status) wrong.push(`${given.name}, ${name}: ${found.status} (${found.message})`);
        if (found.status === 'moved') {
          const expected = name.includes('another file') ? 'shelf.md' : given.name;
          expect(found.place?.citation.source_path, name).toBe(expected);
          expect(found.place?.citation.content_hash).toBe(cited.content_hash);
        }
        if (found.status === 'changed') expect(found.similarity).toBeGreaterThan(0.5);
        if (when === 'before') expect(found.checked).toBe('source');
      }
      expect(wrong).toEqual([]);
    },
    240_000,
  );

  it('B1 the new place can be cited again, and verifies', async () => {
    await write('a.md', '# A\n\nIntroduction.\n\n## One\n\nAlpha beta gamma.\n');
    await add();
    const cited = await cite('Alpha beta gamma');
    await write(
      'a.md',
      '# A\n\nIntroduction.\n\n## Zero\n\nSomething else first.\n\n## One\n\nAlpha beta gamma.\n',
    );
    const moved = await verify(cited);
    expect(moved).toMatchObject({ status: 'moved', checked: 'source' });
    expect(moved.place!.citation).toMatchObject({
      title_path: ['A', 'One'],
      loc: { lines: { from: 9, to: 11 } },
    });
    expect(await verify(moved.place!.citation)).toMatchObject({ status: 'unchanged' });
  });

  it('B1 a passage that begins with headings above its own is named by its own, as the search did', async () => {
    await write('a.md', '# Manual\n\n## Backup\n\nEvery night at two.\n\n## Other\n\nUnrelated.\n');
    await add('hierarchical');
    const cited = await cite('Every night at two');
    expect(cited.title_path).toEqual(['Manual', 'Backup']);
    const { place, message } = await verify(cited);
    expect(place!.citation.title_path).toEqual(['Manual', 'Backup']);
    expect(message).toContain('Manual › Backup');
  });

  it('B1 a section whose words were all replaced has changed; one that was emptied has lost them', async () => {
    const text = (body: string) =>
      `# Guide\n\n## Timeouts\n\n${body}\n\n## Other\n\nUnrelated words stand here.\n`;
    await write('a.md', text('Requests are given up after thirty seconds of silence.'));
    await add();
    const cited = await cite('thirty seconds');
    await write('a.md', text('每个连接最多等待一分钟，之后服务器会主动断开并记录日志。'));
    expect(await verify(cited)).toMatchObject({ status: 'changed' });
    await write('a.md', text(''));
    expect(await verify(cited)).toMatchObject({ status: 'gone' });
  });

  it('B1 a copy that was always there does not hide a change', async () => {
    const licence =
      'Permission is hereby granted to use this text for any purpose and without any fee at all.';
    for (const name of ['a.md', 'b.md'])
      await write(name, `# ${name}\n\nAbout ${name}.\n\n## Licence\n\n${licence}\n`);
    await add();
    const document = (await partsOf(library).backend.documentBySource('file:a.md'))!;
    const [, chunk] = await partsOf(library).backend.chunksOf(document.id);
    const cited = citation(document, chunk!);
    await write(
      'a.md',
      `# a.md\n\nAbout a.md.\n\n## Licence\n\n${licence.replace('without any fee', 'for a small fee')}\n`,
    );
    expect(await verify(cited)).toMatchObject({
      status: 'changed',
      place: { citation: { source_path: 'a.md' } },
    });
    await rm(join(folder, 'a.md'));
    expect(await verify(cited)).toMatchObject({
      status: 'moved',
      place: { citation: { source_path: 'b.md' } },
    });
  });

  it('B1 a deleted file is gone, a renamed one is found, and what has no file is asked of the library', async () => {
    await write('a.md', '# A\n\nThe quick brown fox jumps over the lazy dog.\n');
    await library.addText(
      { title: 'Note', text: 'Remember the milk and the bread and the butter.' },
      { embed: false },
    );
    await add();
    const cited = await cite('quick brown fox');
    const note = await cite('Remember the milk');
    expect(await verify(note)).toMatchObject({ status: 'unchanged', checked: 'store' });
    await rename(join(folder, 'a.md'), join(folder, 'b.md'));
    expect(await verify(cited)).toMatchObject({ status: 'gone', checked: 'source' });
    await add();
    expect(await verify(cited)).toMatchObject({
      status: 'unchanged',
      place: { citation: { source_path: 'b.md' } },
    });
    await library.remove(['b.md'], { cwd: folder });
    expect(await verify(cited)).toMatchObject({ status: 'gone' });
  });

  it('B1 a passage is also named by its id, the beginning of it, or a place in its file', async () => {
    await write('a.md', '# A\n\n## One\n\nAlpha beta gamma.\n\n## Two\n\nDelta epsilon zeta.\n');
    await add();
    const { chunk_id } = await cite('Delta epsilon');
    const names = [chunk_id, `#${chunk_id.slice(0, 8)}`, chunk_id.slice(0, 8), 'a.md:9', 'a.md:7-9'];
    for (const name of names) {
      const found = await verifyCitation(partsOf(library), name, folder);
      expect(found, name).toMatchObject({
        status: 'unchanged',
        cited: { content: expect.stringContaining('Delta') },
      });
      expect(found.place!.citation.chunk_id, name).toBe(chunk_id);
    }
    await write('a.md', '# A\n\n## One\n\nAlpha beta gamma.\n\n## Two\n\nDelta epsilon eta.\n');
    for (const name of names)
      expect((await verifyCitation(partsOf(library), name, folder)).status, name).toBe('changed');
    await rm(join(folder, 'a.md'));
    for (const name of names)
      expect((await verifyCitation(partsOf(library), name, folder)).status, name).toBe('gone');
    for (const unknown of ['#00000000', 'a.md:900', 'nowhere.md:3'])
      await expect(verifyCitation(partsOf(library), unknown, folder), unknown).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
  });

  it('B1 what is no citation is refused', async () => {
    await expect(verify('see page 3')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('B1 stale', () => {
  it('B1 hits whose file changed or vanished are marked, and a new time alone does not count', async () => {
    for (const name of ['a.md', 'b.md', 'c.md', 'd.md'])
      await write(name, `# ${name}\n\nThe common words.\n`);
    await add();
    await write('b.md', '# b.md\n\nThe common werds.\n');
    await rm(join(folder, 'c.md'));
    await utimes(join(folder, 'd.md'), new Date(0), new Date(0));
    const { results } = await library.search('common', { mode: 'keyword' });
    const marks = results.map(({ item, stale, gone }) => [item.source_path, [stale, gone]]);
    expect(Object.fromEntries(marks)).toEqual({
      'a.md': [undefined, undefined],
      'b.md': [true, undefined],
      'c.md': [true, true],
      'd.md': [undefined, undefined],
    });
  });

  it('B15 reads nothing through a link put in the place of a file or its folder', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'strata-outside-'));
    await writeFile(
      join(outside, 'a.md'),
      '# A\n\nSecret words of somebody else, kept where nobody reads them.\n',
    );
    await mkdir(join(folder, 'docs'));
    await write('docs/a.md', '# A\n\nPublic words that were cited once upon a time.\n');
    await add();
    const cited = await cite('Public words');
    await rm(join(folder, 'docs', 'a.md'));
    await symlink(join(outside, 'a.md'), join(folder, 'docs', 'a.md'));
    const replaced = await verify(cited);
    expect(replaced).toMatchObject({ status: 'unchanged', checked: 'store' });
    expect(replaced.message).toMatch(/is a link/);
    await rm(join(folder, 'docs'), { recursive: true });
    await symlink(outside, join(folder, 'docs'));
    const moved = await verify(cited);
    expect(moved).toMatchObject({ checked: 'store' });
    expect(JSON.stringify([replaced, moved])).not.toContain('Secret');
    await rm(outside, { recursive: true });
  });
});
