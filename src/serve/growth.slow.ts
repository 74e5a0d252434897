import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Library } from '../engine/library.js';
import { openLibrary } from '../engine/open.js';
import { parseDocument } from '../parse/parse.js';
import { DEFAULT_LIMITS } from '../parse/parser.js';
import { LOCAL_PRINCIPAL } from '../tools/access/principal.js';
import type { Field } from './fields.js';
import { operations } from './operations.js';

/** What backtracking patterns and nested loops stumble over, again and again. */
const REPEATED = [
  ...' \t\n/\\[](){}<>"\'`*_~#-=+|:;,.!?&$%^@0aA中\u0301\u200d\ufeff',
  ...[
    '文档',
    '的文',
    '[a](',
    '![',
    '](',
    '[]: ',
    '<!--',
    '<a ',
    '</',
    '<div>',
    '<script',
    '{#',
    '[[',
    '*?',
    '**/',
    '*a',
    '> ',
    '- ',
  ],
  ...[
    '\n# ',
    '\n\n',
    ' \n',
    '\n ',
    '\\[',
    '``',
    '` ',
    '| ',
    '|-',
    '\n---',
    '---\n',
    '/*',
    '//',
    '"a',
    'a-',
    'a.',
    '1. ',
  ],
  ...[
    'a: ',
    '- a: ',
    '{"a":',
    '[1,',
    '"a",',
    ',',
    'a,',
    '\n,',
    '&a ',
    '&lt;',
    '<![CDATA[',
    '#if 1\n',
    ')\na;',
    'f(',
    'A[',
  ],
  ...[
    'strata:',
    ' [strata:',
    ' › ',
    '(',
    '\t「『',
    '“a ',
    '\n\t',
    '\nQ: ',
    'Q ',
    '？{#',
    'x'.repeat(64),
    '2026-01-01 ',
  ],
];

/** A linear program takes twice as long for twice as much; what takes four times as long is a way to stop a server. */
const DOUBLING = 3;
/** Shorter times are noise. */
const FLOOR_MS = 15;

/** Null where time grows as the input does; else the times for n, 2n and 4n. */
async function growth(work: (size: number) => Promise<unknown>, n: number): Promise<string | null> {
  const took = async (size: number): Promise<number> => {
    // The process's own time: on a busy machine the clock on the wall says nothing.
    const start = process.cpuUsage();
    await work(size).catch(() => {});
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  // Most need no comparison: what is this quick at its largest cannot hurt.
  if ((await took(4 * n)) <= DOUBLING ** 2 * FLOOR_MS) return null;
  const best = [Infinity, Infinity, Infinity];
  // Another process may have had the machine meanwhile: only what is slow every time is slow.
  for (let round = 0; round < 4; round++) {
    for (const at of [0, 1, 2]) best[at] = Math.min(best[at]!, await took(n * 2 ** at));
    if (best[2]! <= DOUBLING ** 2 * Math.max(FLOOR_MS, best[0]!)) return null;
  }
  return best.map((ms) => `${ms.toFixed(0)} ms`).join(', ');
}

const ends = ['', 'x\n', '!'];
const shown = (unit: string, end: string): string => `${JSON.stringify(unit)} × n + ${JSON.stringify(end)}`;

describe('B15 work grows as the input does', () => {
  const names = `a.md a.txt a.html a.json a.jsonl a.yaml a.csv a.log a.ipynb a.py a.ts a.c a.go`.split(/\s+/);
  it.each(names)('in the parser of %s', async (name) => {
    const slow: string[] = [];
    for (const unit of REPEATED) {
      for (const end of ends) {
        const times = await growth(async (size) => {
          const text = unit.repeat(Math.ceil(size / unit.length)) + end;
          return parseDocument({ bytes: Buffer.from(text), name, limits: DEFAULT_LIMITS });
        }, 8_192);
        if (times !== null) slow.push(`${shown(unit, end)}: ${times}`);
      }
    }
    expect(slow).toEqual([]);
  });

  let folder: string;
  let library: Library;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'strata-growth-'));
    const words = Array.from({ length: 200 }, (_, at) => `# Part ${at}\n\nSome words about thing ${at}.\n`);
    await writeFile(join(folder, `${'a'.repeat(60)}.md`), words.join('\n'));
    await writeFile(join(folder, 'blanks.md'), `# A\n\n${' '.repeat(20_000)}x\n${'a'.repeat(20_000)}\n`);
    library = await openLibrary({ library: join(folder, '.strata'), embedder: 'none' });
    await library.add([folder], { cwd: folder, embed: false });
  });
  afterAll(async () => {
    await library.close();
    await rm(folder, { recursive: true });
  });

  const fields = operations
    .filter(({ library: needs, access }) => needs === 'existing' && access === 'read')
    .flatMap((operation) =>
      Object.entries({ ...operation.input, ...operation.input.filter?.fields })
        .filter(([, { kind, choices }]) => (kind === 'text' || kind === 'texts') && choices === undefined)
        .map(([name, field]) => ({ operation, name, field })),
    );
  it.each(fields)('in $operation.name, field $name', async ({ operation, name, field }) => {
    const needed = Object.entries(operation.input).filter(([, { optional }]) => !optional);
    const given = Object.fromEntries(needed.map(([key]) => [key, 'thing']));
    const context = {
      principal: LOCAL_PRINCIPAL,
      signal: new AbortController().signal,
      progress: () => {},
      notice: () => {},
      cwd: folder,
      library: {},
    };
    const inputWith = (
      needed: object,
      { input }: (typeof fields)[number]['operation'],
      name: string,
      one: unknown,
    ) => ({ ...needed, ...(name in input ? { [name]: one } : { filter: { [name]: one } }) });
    const value = (text: string, { kind }: Field) => (kind === 'texts' ? [text] : text);
    const slow: string[] = [];
    for (const unit of REPEATED) {
      for (const end of [...ends, '[strata:x/y#0-9@0123456789abcdef]']) {
        // Longer than the field allows: the limit is a second line of defence, not the first.
        const times = await growth(async (size) => {
          const text = unit.repeat(Math.ceil(size / unit.length)) + end;
          return operation.handler(library, inputWith(given, operation, name, value(text, field)), context);
        }, 4_096);
        if (times !== null) slow.push(`${shown(unit, end)}: ${times}`);
      }
    }
    expect(slow).toEqual([]);
  });
});
