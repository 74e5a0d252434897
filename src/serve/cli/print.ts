import { safeJson } from '../../model/json/safe-json.js';
import { foldLines } from './fold.js';

/**
 * All that is printed passes here, on standard output and standard error. A title, a path, a tag or an error's words
 * may come from a stranger's document: they must not move the cursor, write the clipboard (OSC 52), colour the screen or
 * turn the order of letters around.
 */

/** Controls but tab and newline; and those that override the direction of text. */
const CONTROL = '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]';
/** The styles our own renderers use, see `colours`. */
const STYLE = '\\u001b\\[(?:0|1|2|4|22|24|3[1-69])m';

/** Links that ours make (link.ts): to a file or a page, in characters that end nothing. */
const LINK = "\\u001b\\]8;;(?:(?:file|https?)://[\\w%.~/:@!$&'()*+,;=?#-]*)?\\u001b\\\\";

const CONTROLS = new RegExp(CONTROL, 'g');
const STYLE_OR_CONTROL = new RegExp(`(${STYLE}|${LINK})|${CONTROL}`, 'g');

export const printable = (text: string): string => text.replace(CONTROLS, '\ufffd');

const withStyles = (text: string): string =>
  text.replace(STYLE_OR_CONTROL, (_, style: string | undefined) => style ?? '\ufffd');

/** What may go to a terminal of all this. */
export const CLEAN = { plain: printable, styled: withStyles, json: safeJson };

/** Resolves when it has been taken: a slow reader is waited for. */
export function print(text: string, kind: keyof typeof CLEAN = 'plain'): Promise<void> {
  return new Promise((done) => process.stdout.write(CLEAN[kind](text), () => done()));
}

/** How wide and high a terminal is; one that does not know says 0, or nothing. */
export const columnsOf = ({ columns }: { readonly columns?: number }): number => columns || 80;
export const rowsOf = ({ rows }: { readonly rows?: number }): number => rows || 24;

/** To standard error; the text may have several lines. On a terminal none is broken within a word. */
export function printError(text: string): void {
  const { stderr } = process;
  const width = stderr.isTTY ? columnsOf(stderr) : Number.POSITIVE_INFINITY;
  stderr.write(`${foldLines(printable(text), width)}\n`);
}
