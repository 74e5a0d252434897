/**
 * Link reference definitions (`[label]: target "title"`) at the start of a paragraph are no text: an underline below
 * them makes no heading. Nothing else about them matters to the structure.
 */
const DEFINITION = new RegExp(
  [
    /\[(?!\^)(?=[^\]]*[^\s\]])(?:[^[\]\\]|\\[\s\S]){1,999}\]:/,
    /[ \t]*\n?[ \t]*/,
    /(<(?:[^<>\n\\]|\\.)*>|(?!<)[^\s]+)/,
    /(?:(?:[ \t]+|[ \t]*\n[ \t]*)(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\((?:[^()\\]|\\[\s\S])*\))(?=[ \t]*(?:\n|$)))?/,
    /[ \t]*(?:\n|$)/,
  ]
    .map((part) => part.source)
    .join(''),
  'y',
);

/** The offset of the first text after the definitions at the start of the paragraph [start, end). */
export function afterDefinitions(text: string, start: number, end: number): number {
  if (text.charCodeAt(start) !== 91) return start;
  const paragraph = text.slice(start, end);
  let at = 0;
  while (paragraph.charCodeAt(at) === 91) {
    DEFINITION.lastIndex = at;
    const match = DEFINITION.exec(paragraph);
    if (match === null || !balanced(match[1]!)) break;
    at = DEFINITION.lastIndex;
    while (paragraph.charCodeAt(at) === 32 || paragraph.charCodeAt(at) === 9) at++;
  }
  return start + at;
}

/** A target without angle brackets may hold parentheses in pairs only. */
function balanced(target: string): boolean {
  if (target.startsWith('<')) return true;
  let depth = 0;
  for (const [mark] of target.matchAll(/\\.|[()]/g)) {
    if (mark === '(') depth++;
    else if (mark === ')') depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** The labels that a text defines; read when a heading with brackets first asks. */
export class Labels {
  readonly #text: string;
  #labels: Set<string> | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  has(label: string): boolean {
    if (this.#labels === null) {
      this.#labels = new Set();
      for (const [, defined] of this.#text.matchAll(/^ {0,3}\[([^[\]\n]{1,999})\]:/gm))
        this.#labels.add(folded(defined!));
    }
    return this.#labels.has(folded(label));
  }
}

const folded = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase();
