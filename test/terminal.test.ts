import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect, type Run, strata } from './program.js';
import { PROGRAM } from './strata.js';

/** Clears the screen, writes the clipboard, rings, colours in 8 bits, turns letters around, hides. */
const EVIL = '\u001b[2J\u001b]52;c;ZXZpbA==\u0007\u009b31m\u202eevil\u2066\u001b[8m';
/** A link that is well made, to somewhere else than it says. */
const EVIL_LINK = '\u001b]8;;file:///etc/passwd\u001b\\here\u001b]8;;\u001b\\';
/** What our own renderers may print: tab, newline and plain styles. */
const STYLES = /\u001b\[(?:0|1|2|4|22|24|3[1-69])m/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

let folder: string;
const name = `${EVIL}.md`;
let id: string;
let citation: string;

/** With colours, as on a terminal. */
const coloured = (args: readonly string[]): Promise<Run> => {
  const env = {
    ...process.env,
    FORCE_COLOR: '1',
    STRATA_LIBRARY: join(folder, '.strata'),
    STRATA_EMBEDDER: 'none',
  };
  return collect(
    spawn(process.execPath, [PROGRAM, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'strata-terminal-'));
  mkdirSync(join(folder, 'docs'));
  const text = `---\ntitle: "${EVIL.replaceAll('\u001b', '\\x1b').replaceAll('\u0007', '\\x07')}"\ntags: ["${'\\x1b'}]0;x"]\n---\n# Zebra ${EVIL}\n\nA zebra ${EVIL} ${EVIL_LINK} has stripes.\n`;
  writeFileSync(join(folder, 'docs', name), text);
  writeFileSync(join(folder, 'docs', `broken${EVIL}.pdf`), '%PDF-1.4 nothing');
  await strata(['add', 'docs', '--no-embed', '--tag', EVIL, '--collection', EVIL], { cwd: folder });
  const { stdout } = await strata(['search', 'zebra', '--json'], { cwd: folder });
  const { results } = JSON.parse(stdout);
  id = results[0].item.id;
  citation = results[0].matched_chunks[0].citation.ref;
  writeFileSync(
    join(folder, 'docs', name),
    `${text}\nMore ${EVIL} words about it.\n`.replace('has stripes', 'had stripes'),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The others print the same records, or an error, which is the same either way. */
const JSON_TOO = new Set(['search', 'list', 'parse', 'rebuild']);

const commands = (): readonly (readonly string[])[] => [
  ['search', 'zebra'],
  ['search', EVIL],
  ['scout', 'zebra'],
  ['inspect', id],
  ['verify', citation],
  ['verify', EVIL],
  ['list', '-n', '1'],
  ['show', id],
  ['show', id, '--text'],
  ['show', EVIL],
  ['status', '--library', EVIL],
  ['remove', 'docs', '--dry-run'],
  ['parse', join('docs', name)],
  ['parse', EVIL],
  ['add', 'docs', '--dry-run', '--force'],
  ['add', 'docs', '--no-embed', '--force'],
  ['add', `http://${EVIL}/`],
  ['rebuild'],
  ['doctor'],
  ['backup', join(folder, `copy${EVIL}`)],
  ['restore', EVIL],
  ['models', EVIL],
  ['eval', EVIL],
  ['embed', '--embedder', EVIL],
  ['completions', EVIL],
  [EVIL],
  ['search', 'zebra', `--${EVIL}`],
];

describe('B15 nothing that is printed can command a terminal', () => {
  it('whatever titles, paths, tags and errors say', { timeout: 240_000 }, async () => {
    const runs = commands().flatMap((args) =>
      JSON_TOO.has(args[0]!) ? [args, [...args, '--json']] : [args],
    );
    for (const args of runs) {
      const { stdout, stderr } = await coloured(args);
      expect(`${stdout}${stderr}`.replace(STYLES, ''), args.join(' ')).not.toMatch(CONTROLS);
    }
  });

  it('links lead to the file they name, and no document can make one', async () => {
    const env = {
      ...process.env,
      FORCE_COLOR: '1',
      FORCE_HYPERLINK: '1',
      NO_COLOR: '',
      STRATA_LIBRARY: join(folder, '.strata'),
    };
    const args = [PROGRAM, 'search', 'zebra', '--embedder', 'none'];
    const { stdout } = await collect(
      spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    const links = [...stdout.matchAll(/\u001b\]8;;([^\u001b]*)\u001b\\/g)].map(([, address]) => address);
    expect(links).toHaveLength(2);
    expect(fileURLToPath(links[0]!)).toBe(join(folder, 'docs', name));
    expect(links[1]).toBe('');
    const rest = stdout.replace(/\u001b\]8;;[^\u001b]*\u001b\\/g, '').replace(STYLES, '');
    expect(rest).not.toMatch(CONTROLS);
    expect(rest).toContain('here');
  });

  it('because all of it goes through one function', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
      /(?<!test|slow|suite|lance|server)\.ts$/.test(path),
    );
    const writers = sources.filter((path) =>
      /process\.std(out|err)\.write\(|console\./.test(readFileSync(join('src', path), 'utf8')),
    );
    // The version is ours; the protocol's own stream is no terminal.
    expect(writers.sort()).toEqual(['serve/cli/print.ts', 'serve/main.ts']);
  });
});
