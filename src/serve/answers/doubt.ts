import type { SearchAnswer } from '../../model/result.js';
import { oneLine } from '../cli/terminal.js';
import { say } from '../language/language.js';

/** What stands before the hits of an answer that has none, or none that is certain. */
export function doubt(
  answer: Partial<Pick<SearchAnswer, 'query' | 'suggestion' | 'weak'>> & { readonly left_out?: number },
  shown: number,
): string[] {
  const { query, left_out, suggestion } = answer;
  const nothing =
    query === undefined ? say('Nothing matches.') : say('Nothing matches "{1}".', oneLine(query));
  const lines = shown === 0 && !left_out ? [nothing] : [];
  if (left_out) lines.push(say('Of {1} briefs {2} fit into max_tokens.', shown + left_out, shown));
  if (suggestion) lines.push(say('Did you mean: {1}', oneLine(suggestion)));
  if (answer.weak) lines.push(say('Nothing here clearly answers this. The nearest there is:'));
  return lines.length === 0 ? [] : [lines.join('\n')];
}
