import type { Tree } from '../model/tree.js';
import type { Item } from './items.js';

/**
 * FAQ entries: a question with its answer. A question is a heading that ends in a question mark or begins with `Q:`, or
 * a paragraph that begins with `Q:` or `问：` where an answer (`A:`, `答：`) follows. An entry ends at the next question
 * or heading.
 */
const QUESTION_HEADING =
  /[?？][\s*_`」』”"]*(?:\{#[^}]*\})?$|^(?:Q\s*\d*|问题?\s*\d*|問題?\s*\d*)\s*[:：.．、]/i;
const MARKS = /^[\s>*_#-]*/;
const QUESTION = /^(?:Q|问题?|問題?)\s*\d*\s*[*_]*\s*[:：]/i;
const ANSWER = /^(?:A|答案?|回答|解答)\s*\d*\s*[*_]*\s*[:：]/i;

/** For each item the entry it belongs to (the index of its question), or -1. */
export function faqEntries(tree: Tree, items: readonly Item[]): number[] {
  const entries: number[] = [];
  let open = -1;
  for (let index = 0; index < items.length; index++) {
    const item = items[index]!;
    if (item.level > 0) {
      const answered = index + 1 < items.length && items[index + 1]!.level === 0;
      open = answered && asks(tree.sections[item.section]!.title) ? index : -1;
    } else if (
      item.block?.type === 'paragraph' &&
      mayAsk(tree.text.charCodeAt(item.start)) &&
      isQuestion(tree.text, items, index)
    )
      open = index;
    entries.push(open);
  }
  return entries;
}

/** Few titles begin with a `Q` or end like a question; only those are looked at closely. */
const asks = (title: string): boolean =>
  (mayAsk(title.charCodeAt(0)) || mayEnd(title.charCodeAt(title.length - 1))) && QUESTION_HEADING.test(title);

/** A question mark, or what `QUESTION_HEADING` lets follow it. */
const mayEnd = (code: number): boolean =>
  !(code >= 97 && code <= 122) && ENDINGS.test(String.fromCharCode(code));
const ENDINGS = /[?？\s*_`」』”"}]/;

/** `Q`, `q`, `问`, `問`, or the marks of emphasis before them: most paragraphs are told apart by one character. */
const mayAsk = (code: number): boolean =>
  code === 81 || code === 113 || code === 0x95ee || code === 0x554f || code === 42 || code === 95;

function isQuestion(text: string, items: readonly Item[], index: number): boolean {
  const opening = openingOf(text, items[index]!);
  if (!QUESTION.test(opening)) return false;
  const next = items[index + 1];
  if (next !== undefined && next.level === 0 && ANSWER.test(openingOf(text, next))) return true;
  const { start, end } = items[index]!;
  return text
    .slice(start, Math.min(end, start + 2000))
    .split('\n')
    .some((line) => ANSWER.test(line.replace(MARKS, '')));
}

const openingOf = (text: string, { start, end }: Item): string =>
  text.slice(start, Math.min(end, start + 40)).replace(MARKS, '');
