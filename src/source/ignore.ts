import { stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { isStrataError } from '../model/errors.js';
import { type IgnoreRule, ignoreRulesOf } from './ignore-rule.js';
import { toPosix } from './path.js';
import { readFileBytes } from './read.js';

const RULE_FILES = ['.gitignore', '.strataignore'] as const;

/**
 * Before anyone's own rules: hidden files (they hold settings and secrets, not documents), what package managers
 * fetched, and the user's glossary, which says how to search. A `.strataignore` can take either back: `!.github/`.
 */
const isLeftOut = (path: string): boolean =>
  basename(path).startsWith('.') || ['node_modules', 'strata.glossary.tsv'].includes(basename(path));

/** In bytes: hundreds of times what a project needs, and little enough to be asked about every file. */
const LARGEST_RULES = 2 ** 18;

/** The rules of one folder and of all above it, asked from the top down: the deepest that has an opinion decides. */
export interface IgnoreRules {
  ignores(path: string, isFolder: boolean): boolean;
  /** The rules inside this folder (which holds `names`): these, and its own `.gitignore` and `.strataignore`. */
  enter(folder: string, names?: readonly string[]): Promise<IgnoreRules>;
}

interface Level {
  readonly folder: string;
  readonly rules: readonly IgnoreRule[];
}

export async function ignoreRules(start: string): Promise<IgnoreRules> {
  const above: Level[] = [];
  for (const folder of await foldersUpToRepository(start)) {
    // Someone who names an ignored folder means it: what is said about it from above does not count then.
    if (verdict(above, folder, true)) return fromLevels([]);
    const level = await levelOf(folder);
    if (level) above.push(level);
  }
  return fromLevels(verdict(above, start, true) ? [] : above);
}

function fromLevels(levels: readonly Level[]): IgnoreRules {
  return {
    ignores: (path, isFolder) => verdict(levels, path, isFolder) ?? isLeftOut(path),
    async enter(folder, names) {
      // Opening files that are not there would take half the time of a walk.
      if (names && !RULE_FILES.some((name) => names.includes(name))) return this;
      const own = await levelOf(folder);
      return own ? fromLevels([...levels, own]) : this;
    },
  };
}

/** Null where no level has an opinion. */
function verdict(levels: readonly Level[], path: string, isFolder: boolean): boolean | null {
  let answer: boolean | null = null;
  for (const { folder, rules } of levels) {
    const way = toPosix(relative(folder, path));
    if (way === '') continue;
    const rule = rules.findLast(({ matches }) => matches(way, isFolder));
    if (rule !== undefined) answer = !rule.negated;
  }
  return answer;
}

async function levelOf(folder: string): Promise<Level | null> {
  const texts = await Promise.all(RULE_FILES.map((name) => readRules(join(folder, name))));
  const text = texts.join('\n');
  return text === '\n' ? null : { folder, rules: ignoreRulesOf(text) };
}

/** What is a FIFO or a link is no rule file, as in git. One that is too large may name what must not be read. */
async function readRules(path: string): Promise<string> {
  try {
    const { bytes } = await readFileBytes(path, { limit: LARGEST_RULES });
    return Buffer.from(bytes).toString('utf8');
  } catch (error) {
    if (isStrataError(error, 'LIMIT')) throw error;
    return '';
  }
}

/** The folders above `start` whose rules reach down to it: up to the one that holds `.git`; none outside a repository. */
async function foldersUpToRepository(start: string): Promise<readonly string[]> {
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
