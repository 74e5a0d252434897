import type { Tree } from '../model/tree.js';
import type { Item } from './items.js';
import type { Visible } from './visible.js';

/**
 * FAQ entries: a question with its answer. A question is a heading that ends in a question mark or begins with `Q:`, or
 * a line that begins with `Q:` or `问：` where an answer (`A:`, `答：`) follows. An entry ends at the next question or
 * heading.
 */
const QUESTION_HEADING = /[?？][\s*_`」』”"]*(?:\{#[^{}]*\})?$|^(?:Q|问题?|問題?)\s*(?:\d+\s*)?[:：.．、]/i;
const MARKS = /^[\s>*_#-]*/;
const QUESTION = /^(?:Q|问题?|問題?)\s*(?:\d+\s*)?(?:[*_]+\s*)?[:：]/i;
/** At the beginning of a line, or behind the question on the same one. */
const ANSWER = /(?:^|[?？。\s])[>*_-]*(?:A|答案?|回答|解答)\s*(?:\d+\s*)?(?:[*_]+\s*)?[:：]/im;
/** Most documents have no such line: one look at the text tells. */
const MARKED = /(?:[Qq]|问题?|問題?)\s*(?:\d+\s*)?(?:[*_]+\s*)?[:：]/;

/** Items, and for each the index of the question it answers, or -1; null where nothing is asked. */
export interface Entries {
  readonly items: readonly Item[];
  readonly entries: readonly number[] | null;
}

export function faqEntries(tree: Tree, whole: readonly Item[], visible: Visible): Entries {
  const isMarked = MARKED.test(tree.text);
  const items = isMarked ? whole.flatMap((item) => splitQuestions(item, visible)) : whole;
  let entries: number[] | null = null;
  let open = -1;
  for (let index = 0; index < items.length; index++) {
    const { level, section } = items[index]!;
    if (level > 0) {
      const answered = index + 1 < items.length && items[index + 1]!.level === 0;
      open = answered && asks(tree.sections[section]!.title) ? index : -1;
    } else if (isMarked && isQuestion(tree.text, items, index)) open = index;
    if (open === index) entries ??= new Array<number>(index).fill(-1);
    entries?.push(open);
  }
  return { items, entries };
}

/** Few titles have a question mark or begin with a mark; only those are looked at closely. */
const asks = (title: string): boolean =>
  (title.includes('?') || title.includes('？') || MARKED.test(title) || /^\s*(?:Q|问|問)/i.test(title)) &&
  QUESTION_HEADING.test(title);

/** A block in which several questions stand line by line, as one item for each. */
function splitQuestions(item: Item, visible: Visible): Item[] {
  if (!isProse(item)) return [item];
  const items: Item[] = [];
  const { text } = visible;
  let { start } = item;
  const add = (to: number): void => {
    const span = visible.trim(start, to);
    if (span !== null) items.push({ ...item, ...span });
    start = to;
  };
  for (let at = text.indexOf('\n', item.start) + 1; at > 0 && at < item.end; at = text.indexOf('\n', at) + 1)
    if (QUESTION.test(openingOf(text, at, item.end))) add(at);
  if (items.length === 0) return [item];
  add(item.end);
  return items;
}

const isProse = ({ block }: Item): boolean =>
  block !== null && (block.type === 'paragraph' || block.type === 'list' || block.type === 'quote');

/** Whether an item begins with a question and it, or what follows, has the answer. */
function isQuestion(text: string, items: readonly Item[], index: number): boolean {
  const { start, end } = items[index]!;
  if (!isProse(items[index]!) || !QUESTION.test(openingOf(text, start, end))) return false;
  if (ANSWER.test(text.slice(start, Math.min(end, start + 2000)))) return true;
  const next = items[index + 1];
  return next !== undefined && next.level === 0 && ANSWER.test(openingOf(text, next.start, next.end));
}

const openingOf = (text: string, start: number, end: number): string =>
  text.slice(start, Math.min(end, start + 40)).replace(MARKS, '');
