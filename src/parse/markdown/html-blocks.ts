/** CommonMark's seven kinds of HTML block: how each starts, and how it ends. */
export type HtmlKind = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;

const BLOCK_NAMES = new Set(
  (
    'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt ' +
    'fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link ' +
    'main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead ' +
    'title tr track ul'
  ).split(' '),
);
const RAW_NAMES = new Set(['pre', 'script', 'style', 'textarea']);
const NAME = /<(\/?)([A-Za-z][A-Za-z0-9-]*)/y;
const OPEN_TAG =
  /^<[A-Za-z][A-Za-z0-9-]*(?:[ \t]+[A-Za-z_:][A-Za-z0-9_.:-]*(?:[ \t]*=[ \t]*(?:[^ \t"'=<>`]+|'[^']*'|"[^"]*"))?)*[ \t]*\/?>[ \t]*$/;
const CLOSE_TAG = /^<\/[A-Za-z][A-Za-z0-9-]*[ \t]*>[ \t]*$/;

/** Which kind of HTML block starts at `at` (a `<`), or 0. */
export function htmlKind(text: string, at: number, end: number): HtmlKind {
  const next = text.charCodeAt(at + 1);
  if (next === 33) {
    if (text.startsWith('<!--', at)) return 2;
    if (text.startsWith('<![CDATA[', at)) return 5;
    const letter = text.charCodeAt(at + 2) | 32;
    return letter >= 97 && letter <= 122 && at + 2 < end ? 4 : 0;
  }
  if (next === 63) return 3;
  NAME.lastIndex = at;
  const match = NAME.exec(text);
  if (match === null) return 0;
  const name = match[2]!.toLowerCase();
  const after = NAME.lastIndex;
  const code = after < end ? text.charCodeAt(after) : 10;
  const stops = code === 32 || code === 9 || code === 10 || code === 62;
  if (match[1] === '' && RAW_NAMES.has(name) && stops) return 1;
  if (BLOCK_NAMES.has(name) && (stops || (code === 47 && text.charCodeAt(after + 1) === 62))) return 6;
  if (RAW_NAMES.has(name) && match[1] === '') return 0;
  const line = text.slice(at, end);
  return (match[1] === '' ? OPEN_TAG : CLOSE_TAG).test(line) ? 7 : 0;
}

const RAW_END = /<\/(?:pre|script|style|textarea)>/gi;

/**
 * Finds where kinds 1–5 end. A search runs to the end of the text when nothing is found, so each answer is kept: it
 * stays right for every later start before it, and a document of unclosed comments is still read in linear time.
 * Starts must not go back.
 */
export class HtmlEnds {
  readonly #text: string;
  /** By kind: the last answer. */
  readonly #found = [-1, -1, -1, -1, -1, -1];

  constructor(text: string) {
    this.#text = text;
  }

  /** The offset of the end mark at or after `from`; Infinity where there is none. */
  after(kind: HtmlKind, from: number): number {
    const known = this.#found[kind]!;
    if (known >= from) return known;
    const at = this.#search(kind, from);
    const found = at < 0 ? Infinity : at;
    this.#found[kind] = found;
    return found;
  }

  #search(kind: HtmlKind, from: number): number {
    switch (kind) {
      case 1:
        RAW_END.lastIndex = from;
        return RAW_END.exec(this.#text)?.index ?? -1;
      case 2:
        return this.#text.indexOf('-->', from);
      case 3:
        return this.#text.indexOf('?>', from);
      case 4:
        return this.#text.indexOf('>', from);
      default:
        return this.#text.indexOf(']]>', from);
    }
  }
}
