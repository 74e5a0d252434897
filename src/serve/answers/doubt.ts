import type { SearchAnswer } from '../../model/result.js';
import { oneLine } from '../cli/terminal.js';

/** What stands before the hits of an answer that has none, or none that is certain. */
export function doubt(
  answer: Partial<Pick<SearchAnswer, 'query' | 'suggestion' | 'weak'>> & { readonly left_out?: number },
  shown: number,
): string[] {
  const asked = answer.query === undefined ? '' : ` "${oneLine(answer.query)}"`;
  const lines = shown === 0 && !answer.left_out ? [`Nothing matches${asked}.`] : [];
  if (answer.left_out) lines.push(`Of ${shown + answer.left_out} briefs ${shown} fit into max_tokens.`);
  if (answer.suggestion) lines.push(`Did you mean: ${oneLine(answer.suggestion)}`);
  if (answer.weak) lines.push('Nothing here clearly answers this. The nearest there is:');
  return lines.length === 0 ? [] : [lines.join('\n')];
}
