import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Folder, folder, guide, type Run } from './strata.js';
import { WRONG_USES, type WrongUse } from './wrong-uses.js';

const AT_ONCE = 4;

describe('wrong uses of the command line', () => {
  it('B16 one message names the thing and the next step, in both languages, and nothing is written', async () => {
    const place = await prepared();
    const ambiguous = await sharedBeginning(place);
    const before = await everything(place);
    const faults: string[] = [];
    const waiting = WRONG_USES.flatMap((use, at) =>
      (['en', 'zh'] as const).map((language) => ({
        use,
        language,
        library: libraryOf(place, use, `${at}-${language}`),
      })),
    );
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { use, language, library } = next;
        const args = use.args.map((word) => (word === 'AMBIGUOUS' ? ambiguous : word));
        const run = await place.run([...args, '--lang', language], {
          env: { STRATA_LIBRARY: use.cwd === undefined ? library : '' },
          cwd: join(place.path, use.cwd ?? '.'),
        });
        const found = [...faultsOf(use, run), ...(language === 'en' ? english(use, run) : chinese(run))];
        if (use.library === 'none' && existsSync(library)) found.push('leaves a library behind');
        for (const fault of found)
          faults.push(`strata ${args.join(' ')} (${language}): ${fault}\n${run.stderr}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(faults).toEqual([]);
    expect(await everything(place)).toEqual(before);
  }, 180_000);

  it('B16 every command is used wrongly here', async () => {
    const { stdout } = await folder().strata('--help');
    const commands = [...stdout.matchAll(/^ {2}([a-z]+)(?= \[| <)/gm)].map(([, name]) => name!);
    expect(commands.length).toBeGreaterThan(30);
    const used = new Set(WRONG_USES.map(({ args }) => args[0]));
    expect(commands.filter((name) => name !== 'help' && !used.has(name))).toEqual([]);
    expect(WRONG_USES.length).toBeGreaterThanOrEqual(60);
  });
});

/** A library with one of everything, one without users, and files that are wrong in several ways. */
async function prepared(): Promise<Folder> {
  const many = Array.from({ length: 2000 }, (_, at) => `## Topic ${at}\n\nWhat topic ${at} is.\n`);
  const place = folder({
    'docs/guide.md': guide('Guide', 'backup'),
    'docs/many.md': many.join('\n'),
    'bad.json': '{"a": ',
    'faq.json': JSON.stringify({ a: 'A long answer. '.repeat(30) }),
    'full/file.txt': 'text',
    'empty/.gitkeep': '',
    'bad-config/docs/a.md': '# A',
    'bad-config/strata.config.json': '{"store": ',
    'odd-config/docs/a.md': '# A',
    'odd-config/strata.config.json': '{"colour": "red"}',
  });
  for (const line of [
    'add docs --no-embed --strategy h2 --min 0',
    'add docs/guide.md --no-embed --library open',
    'table put faq faq.json --no-embed',
    'tool create faq-search --table faq --no-embed',
    'endpoint create desk',
    'user add ann',
  ])
    expect((await place.strata(...line.split(' '))).stderr, line).toBe('');
  return place;
}

function libraryOf(place: Folder, { library }: WrongUse, name: string): string {
  if (library === 'none') return join(place.path, `none-${name}`);
  return join(place.path, library === 'open' ? 'open' : '.strata');
}

/** Of 2000 ids two begin with the same four digits, which is the least that is read as an id. */
async function sharedBeginning(place: Folder): Promise<string> {
  const { stdout } = await place.strata('inspect', 'docs/many.md', '--json');
  const ids = [...stdout.matchAll(/"id": ?"([0-9a-f]{8}-[0-9a-f-]+)"/g)].map(([, id]) => id!);
  const beginnings = [...new Set(ids)].map((id) => id.slice(0, 4));
  const twice = beginnings.find((start, at) => beginnings.indexOf(start) !== at);
  expect(twice).toBeDefined();
  return `#${twice}`;
}

function faultsOf(use: WrongUse, { code, stdout, stderr }: Run): string[] {
  const faults: string[] = [];
  if (code !== use.exit) faults.push(`exits with ${code}, not ${use.exit}`);
  if (!use.answers && stdout !== '') faults.push(`prints ${stdout}`);
  if (!use.names.test(stderr)) faults.push(`does not name ${use.names}`);
  const lines = stderr.trimEnd().split('\n');
  const isOne = lines.length === 1 || (lines.length === 2 && /^[(（]/.test(lines[1]!));
  if (!isOne) faults.push(`is ${lines.length} lines`);
  if (/STRATA_DEBUG|^\s+at /m.test(stderr)) faults.push('is called a defect of ours');
  return faults;
}

const english = ({ next }: WrongUse, { stderr }: Run): string[] =>
  next.test(stderr) ? [] : [`names no next step ${next}`];

/** Code, what was quoted, and paths stay as they are; three English words in a row besides are a sentence nobody translated. */
function chinese({ stderr }: Run): string[] {
  const words = stderr.replace(/`[^`]*`|“[^”]*”|\/\S+|TOKEN NAME read\|write/g, '');
  const left = /[a-z]{2,}( [a-z]{2,}){2,}/i.exec(words);
  return [
    ...(/\p{Script=Han}/u.test(stderr) ? [] : ['is not Chinese']),
    ...(left === null ? [] : [`has the English "${left[0]}"`]),
  ];
}

/** Every file, and what the library holds. Not what notes failures too (the audit log), or who writes (leases, SQLite's own). */
async function everything(place: Folder): Promise<readonly string[]> {
  const files = readdirSync(place.path, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/audit|-(wal|shm)$|tables\/\d+$/.test(name))
    .sort();
  const held = [
    'list',
    'table list',
    'tool list',
    'endpoint list',
    'user list',
    'key list',
    'grant list',
  ].map(async (line) => (await place.strata(...line.split(' '), '--json')).stdout);
  return [...files, ...(await Promise.all(held))];
}
