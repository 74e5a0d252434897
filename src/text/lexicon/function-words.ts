import type { Token } from '../analyze.js';

/**
 * Chinese words that ask or join rather than name: a question is about what stands between them. Simplified, since
 * analysis folds to it. Leaving them out of queries (never out of the index) gives 1 to 3 points of nDCG@10 on
 * Chinese questions: docs/decisions/ranking-words.md.
 */
const WORDS = new Set(
  `什么 什么意思 什么样 怎么 怎么样 怎么回事 怎样 怎么办 有哪些 有什么 哪些 哪个 哪里 哪儿 哪一 如何 多少 是否 可以 能否 能不能 是不是 有没有 请问 为什么 为何 多久
  几个 应该 关于 以及 或者 还是 如果 因为 所以 但是 我们 他们 它们 这个 那个 这些 那些 一个 一种 属于 位于 之间 其中 何时 何地
  何处 何人 何种 的 了 是 在 有 和 与 及 或 吗 呢 吧 啊 哪 谁 也 都 就 把 被 对 为 以 其 之 而 于 并 等 个 何`.split(
    /\s+/,
  ),
);
const LONGEST = 4;

/** Where the function words of a text start and end, by the starts of their characters: longest first, from the left. */
export function functionChars(tokens: readonly Token[]): ReadonlySet<number> {
  const chars = tokens.filter(({ kind }) => kind === 'char');
  const found = new Set<number>();
  for (let at = 0; at < chars.length; ) {
    const length = wordLengthAt(chars, at);
    for (let next = at; next < at + length; next++) found.add(chars[next]!.start);
    at += Math.max(1, length);
  }
  return found;
}

function wordLengthAt(chars: readonly Token[], at: number): number {
  for (let length = LONGEST; length > 0; length--) {
    const run = chars.slice(at, at + length);
    const adjacent = run.every((char, index) => index === 0 || char.start === run[index - 1]!.end);
    if (run.length === length && adjacent && WORDS.has(run.map(({ term }) => term).join(''))) return length;
  }
  return 0;
}

/** Characters of dense scripts in a row, without the words that only join or ask. */
export function denseRuns(tokens: readonly Token[]): Token[][] {
  const joining = functionChars(tokens);
  const runs: Token[][] = [];
  for (const token of tokens) {
    if (token.kind !== 'char' || joining.has(token.start)) continue;
    const last = runs.at(-1);
    if (last?.at(-1)?.end === token.start) last.push(token);
    else runs.push([token]);
  }
  return runs;
}
