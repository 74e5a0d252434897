import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import createIgnore, { type Ignore } from 'ignore';
import { toPosix } from './path.js';

const RULE_FILES = ['.gitignore', '.strataignore'] as const;

/**
 * Before anyone's own rules: hidden files (they hold settings and secrets, not documents) and what package managers
 * fetched. A `.strataignore` can take either back: `!.github/`.
 */
const DEFAULT_RULES = ['.*', 'node_modules/'];

/** The rules of one folder and of all above it, asked from the top down: the deepest that has an opinion decides. */
export interface IgnoreRules {
  ignores(path: string, isFolder: boolean): boolean;
  /** The rules inside this folder: these, and its own `.gitignore` and `.strataignore`. */
  enter(folder: string): Promise<IgnoreRules>;
}

interface Level {
  readonly folder: string;
  readonly rules: Ignore;
}

export async function ignoreRules(start: string): Promise<IgnoreRules> {
  const base: Level = { folder: start, rules: createIgnore().add(DEFAULT_RULES) };
  const above: Level[] = [];
  for (const folder of await foldersUpToRepository(start)) {
    const level = await levelOf(folder);
    if (level) above.push(level);
  }
  // Someone who names an ignored folder means it: what is said about it from above does not count then.
  const outer = ignored(above, start, true) ? [] : above;
  return fromLevels([base, ...outer]);
}

function fromLevels(levels: readonly Level[]): IgnoreRules {
  return {
    ignores: (path, isFolder) => ignored(levels, path, isFolder),
    enter: async (folder) => {
      const own = await levelOf(folder);
      return own ? fromLevels([...levels, own]) : fromLevels(levels);
    },
  };
}

function ignored(levels: readonly Level[], path: string, isFolder: boolean): boolean {
  let answer = false;
  for (const { folder, rules } of levels) {
    const way = toPosix(relative(folder, path));
    if (way === '') continue;
    const verdict = rules.test(isFolder ? `${way}/` : way);
    if (verdict.ignored) answer = true;
    if (verdict.unignored) answer = false;
  }
  return answer;
}

async function levelOf(folder: string): Promise<Level | null> {
  const texts = await Promise.all(
    RULE_FILES.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')),
  );
  const text = texts.filter(Boolean).join('\n');
  return text === '' ? null : { folder, rules: createIgnore({ allowRelativePaths: false }).add(text) };
}

/** The folders above `start` whose rules reach down to it: up to the one that holds `.git`; none outside a repository. */
async function foldersUpToRepository(start: string): Promise<readonly string[]> {
  const { stat } = await import('node:fs/promises');
  const folders: string[] = [];
  for (let folder = start; ; folder = dirname(folder)) {
    if (folder !== start) folders.unshift(folder);
    const isRepository = await stat(join(folder, '.git')).then(
      () => true,
      () => false,
    );
    if (isRepository) return folders;
    if (dirname(folder) === folder) return [];
  }
}
