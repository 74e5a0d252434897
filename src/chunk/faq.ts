import type { Tree } from '../model/tree.js';
import type { Item } from './items.js';

/**
 * FAQ entries: a question with its answer. A question is a heading that ends in a question mark or begins with `Q:`, or
 * a paragraph that begins with `Q:` or `问：` where an answer (`A:`, `答：`) follows. An entry ends at the next question
 * or heading.
 */
const QUESTION_HEADING = /[?？][\s*_`」』”"]*(?:\{#[^{}]*\})?$|^(?:Q|问题?|問題?)\s*(?:\d+\s*)?[:：.．、]/i;
const MARKS = /^[\s>*_#-]*/;
const QUESTION = /^(?:Q|问题?|問題?)\s*(?:\d+\s*)?(?:[*_]+\s*)?[:：]/i;
const ANSWER = /^(?:A|答案?|回答|解答)\s*(?:\d+\s*)?(?:[*_]+\s*)?[:：]/i;

/** For each item the entry it belongs to (the index of its question), or -1; null where nothing is asked. */
export function faqEntries(tree: Tree, items: readonly Item[]): number[] | null {
  let entries: number[] | null = null;
  let open = -1;
  for (let index = 0; index < items.length; index++) {
    const { level, section, start, block } = items[index]!;
    if (level > 0) {
      const answered = index + 1 < items.length && items[index + 1]!.level === 0;
      open = answered && asks(tree.sections[section]!.title) ? index : -1;
    } else if (
      mayAsk(tree.text.charCodeAt(start)) &&
      block?.type === 'paragraph' &&
      isQuestion(tree.text, items, index)
    )
      open = index;
    if (open === index) entries ??= new Array<number>(index).fill(-1);
    entries?.push(open);
  }
  return entries;
}

/** Few titles have a question mark or begin with a `Q`; only those are looked at closely. */
const asks = (title: string): boolean =>
  title !== '' &&
  (mayAsk(title.charCodeAt(0)) || title.includes('?') || title.includes('？')) &&
  QUESTION_HEADING.test(title);

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
