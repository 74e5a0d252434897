/**
 * C and C++ are read before the preprocessor has run, and macros break the grammar: what they do is blanked out, space
 * for character, so that every offset stays. The text itself is not changed, only what the grammar sees.
 */
export function maskMacros(text: string): string {
  return (
    text
      // A line that is nothing but a macro (`NS_BEGIN`, `Q_OBJECT`, `DEFINE_THING(a, b)`), with no semicolon behind it.
      .replace(/^[ \t]*_*[A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?[ \t]*$/gm, blank)
      // A macro in a label's place (`PRIVATE_UNLESS_TESTED:`); where it is a label, nothing depends on it.
      .replace(/^[ \t]*[A-Z][A-Z0-9_]{3,}:[ \t]*$/gm, blank)
      // `template <…> [[nodiscard]] auto name(`: the grammar knows attributes in other places only.
      .replace(/\[\[[\w:,() \t"]*\]\]/g, blank)
      // A macro called where only declarations can stand: at the start of a line, after something that is complete.
      .replace(/(?<=[;}/\n][ \t]*\n)[A-Za-z_]\w*\([^()\n;{}]*\);[ \t]*$/gm, blank)
      // `class LIBRARY_API Name`: the export mark would be taken for the name.
      .replace(
        /\b(class|struct)([ \t]+_*[A-Z][A-Z0-9_]{3,})(?=[ \t]+[A-Za-z_]\w*\s*(?:final\s*)?[:{])/g,
        (_, word, mark) => word + blank(mark),
      )
      // Parameters declared below their list (C before 1989).
      .replace(
        /(\)[ \t]*\n)((?:[ \t]*(?!return\b|goto\b)[A-Za-z_][\w \t*,[\]()]*;[^\n;{}]*\n){1,40})(?=[ \t]*\{)/g,
        (_, list, declared) => list + blank(declared),
      )
  );
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

const DIRECTIVE = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b[ \t]*(.*)$/s;

/** One `#if` that is still open: the line of each of its directives, and which of its branches is read. */
interface Conditional {
  readonly directives: number[];
  read: number;
}

/**
 * Branches that open a brace and do not close it (`#ifdef A` / `if (a) {` / `#else` / `if (b) {` / `#endif`) leave the
 * grammar with one too many, and a function with two heads and one body with one too few: of such branches one is
 * seen. Others are left to the grammar, which knows conditionals.
 */
export function oneBranch(text: string): string {
  if (!/^[ \t]*#[ \t]*if/m.test(text)) return text;
  const lines = text.split('\n');
  const open: Conditional[] = [];
  for (const [at, line] of lines.entries()) {
    const [, word, condition] = DIRECTIVE.exec(line) ?? [];
    if (word === undefined) continue;
    const current = open.at(-1);
    if (word.startsWith('if')) open.push({ directives: [at], read: /^0\b/.test(condition!) ? 1 : 0 });
    else current?.directives.push(at);
    if (word === 'endif' && current !== undefined) {
      open.pop();
      settle(lines, current);
    }
  }
  return lines.join('\n');
}

function settle(lines: string[], { directives, read }: Conditional): void {
  const branches = directives.slice(0, -1).map((at, i) => ({ from: at + 1, to: directives[i + 1]! }));
  const isWhole = branches.every(
    ({ from, to }) => lines.slice(from, to).reduce((count, line) => count + braces(line), 0) === 0,
  );
  const after = lines
    .slice(directives.at(-1)! + 1, directives.at(-1)! + 4)
    .find((line) => line.trim() !== '');
  const isHead = branches.length > 1 && after?.trimStart().startsWith('{') === true;
  if (isWhole && !isHead) return;
  for (const at of directives) lines[at] = blank(lines[at]!);
  for (const [i, { from, to }] of branches.entries()) {
    if (i === Math.min(read, branches.length - 1)) continue;
    for (let at = from; at < to; at++) lines[at] = blank(lines[at]!);
  }
}

/** How many more it opens than it closes; those in strings and comments of the line do not count. */
function braces(line: string): number {
  if (!/[{}]/.test(line)) return 0;
  const code = line.replace(/\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/\/.*|\/\*(?:(?!\/\*).)*?\*\//g, '');
  let count = 0;
  for (const character of code) count += character === '{' ? 1 : character === '}' ? -1 : 0;
  return count;
}
