import { type GlobToken, tokenMatcher } from '../model/glob.js';

/** One line of a `.gitignore`. */
export interface IgnoreRule {
  /** `!`: what an earlier rule left out is taken back. */
  readonly negated: boolean;
  /** Whether it speaks of this path, relative to the folder of its file and with `/` between names. */
  matches(path: string, isFolder: boolean): boolean;
}

/**
 * The rules of an ignore file, as git reads them (gitignore(5)). The lines are a stranger's: they are matched in time
 * in proportion to their length, where the regular expressions of the usual packages backtrack for hours.
 */
export const ignoreRulesOf = (text: string): IgnoreRule[] =>
  text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map(ruleOf)
    .filter((rule) => rule !== null);

/** As git does where file systems do not tell `Build` from `build`. */
const asCompared = (text: string): string => (process.platform === 'linux' ? text : text.toLowerCase());

function ruleOf(line: string): IgnoreRule | null {
  if (line.startsWith('#')) return null;
  const negated = line.startsWith('!');
  const pattern = asCompared(withoutTrailingBlanks(negated ? line.slice(1) : line));
  const foldersOnly = pattern.endsWith('/');
  const glob = foldersOnly ? pattern.slice(0, -1) : pattern;
  const anchored = glob.includes('/');
  const tokens = tokensOf(glob.startsWith('/') ? glob.slice(1) : glob, anchored);
  if (tokens === null || tokens.length === 0) return null;
  const isMatch = tokenMatcher(tokens, { orFolderAbove: false });
  return {
    negated,
    matches: (path, isFolder) =>
      (isFolder || !foldersOnly) &&
      isMatch(asCompared(anchored ? path : path.slice(path.lastIndexOf('/') + 1))),
  };
}

/** `\ ` keeps a blank at the end of a line. */
function withoutTrailingBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end--;
  let slashes = 0;
  while (line[end - 1 - slashes] === '\\') slashes++;
  return line.slice(0, slashes % 2 === 1 ? end + 1 : end);
}

/** Null for what git matches with nothing: an unclosed class, an escape of nothing. */
function tokensOf(glob: string, anchored: boolean): GlobToken[] | null {
  const letters = Array.from(glob);
  const tokens: GlobToken[] = [];
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at]!;
    if (letter === '*') {
      const from = at;
      while (letters[at + 1] === '*') at++;
      const next = letters[at + 1];
      // Only as a whole name do two stars stand for folders.
      const crosses =
        anchored &&
        at > from &&
        (from === 0 || letters[from - 1] === '/') &&
        (next === undefined || next === '/');
      if (crosses && next === '/') at++;
      tokens.push(crosses ? (next === '/' ? '**/' : '**') : '*');
    } else if (letter === '?') {
      tokens.push('?');
    } else if (letter === '[') {
      const group = classAt(letters, at + 1);
      if (group === null) return null;
      tokens.push(group.has);
      at = group.end;
    } else {
      const literal = letter === '\\' ? letters[++at] : letter;
      if (literal === undefined) return null;
      tokens.push(literal.codePointAt(0)!);
    }
  }
  return tokens;
}

/** The named classes of characters that git knows, which are those of C for ASCII. */
const NAMED: Readonly<Record<string, RegExp>> = {
  alnum: /[a-z\d]/i,
  alpha: /[a-z]/i,
  blank: /[ \t]/,
  cntrl: /[\0-\x1f\x7f]/,
  digit: /\d/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[\t-\r ]/,
  upper: /[A-Z]/,
  xdigit: /[a-f\d]/i,
};

const CLASS_NAME = /^\[:([^\]]*):\]/;
const LONGEST_NAME = 16;

/** The class whose `[` stands before `from`, and where its `]` is. */
function classAt(
  letters: readonly string[],
  from: number,
): { readonly has: (character: number) => boolean; readonly end: number } | null {
  const negated = letters[from] === '!' || letters[from] === '^';
  const first = negated ? from + 1 : from;
  const ranges: [low: number, high: number][] = [];
  const named: RegExp[] = [];
  for (let at = first; at < letters.length; at++) {
    if (letters[at] === ']' && at > first) {
      const has = (character: number): boolean =>
        ranges.some(([low, high]) => low <= character && character <= high) ||
        (character < 128 && named.some((one) => one.test(String.fromCharCode(character))));
      return { has: negated ? (character) => !has(character) : has, end: at };
    }
    const name = letters[at] === '[' && CLASS_NAME.exec(letters.slice(at, at + LONGEST_NAME).join(''))?.[1];
    if (typeof name === 'string') {
      const known = NAMED[name];
      if (known === undefined) return null;
      named.push(known);
      at += name.length + 3;
      continue;
    }
    const character = (): number | undefined => letters[letters[at] === '\\' ? ++at : at]?.codePointAt(0);
    const low = character();
    let high = low;
    if (letters[at + 1] === '-' && letters[at + 2] !== undefined && letters[at + 2] !== ']') {
      at += 2;
      high = character();
    }
    if (low === undefined || high === undefined) return null;
    ranges.push([low, high]);
  }
  return null;
}
