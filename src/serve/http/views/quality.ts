import { resolve } from 'node:path';
import type { QueryRow } from '../../../engine/evaluate/evaluate.js';
import { SEARCH_MODES } from '../../../model/result.js';
import { flag, optionalTexts, text } from '../../fields.js';
import { view } from './view.js';

/** Questions that failed, shown of each mode. */
const LISTED = 50;

export const qualityView = view({
  name: 'evaluate',
  summary: 'Measure searches on a set of questions with known answers, and name the questions that failed',
  description:
    'As `strata eval`. The set is a folder of this machine, so only its owner may ask (the page that `strata open` opens).',
  access: 'owner',
  input: {
    folder: text('A folder with a set, as `strata eval` reads it'),
    modes: optionalTexts('Only these modes', { choices: SEARCH_MODES }),
    embed: flag('Make all vectors first', { fallback: true }),
  },
  output: ({ z }) =>
    z.object({
      rows: z.array(z.object({ set: z.string(), mode: z.string(), ndcg_10: z.number() }).loose()),
      failed: z.array(
        z.object({
          mode: z.string(),
          query_id: z.string(),
          query: z.string(),
          ndcg_10: z.number(),
          ranking: z.array(z.string()),
        }),
      ),
    }),
  handler: async (_library, { folder, modes, embed }, { cwd, signal, progress, library: options }) => {
    const { evaluate } = await import('../../../engine/evaluate/evaluate.js');
    const failed: Pick<QueryRow, 'mode' | 'query_id' | 'query' | 'ndcg_10' | 'ranking'>[] = [];
    const counts = new Map<string, number>();
    const rows = await evaluate([resolve(cwd, folder)], {
      modes,
      embed,
      // A library made for the occasion, by the model this server uses.
      library: { embedder: options.embedder, onNotice: options.onNotice },
      onProgress: progress,
      signal,
      onQuery({ mode, query_id, query, ndcg_10, ranking, recall_10 }) {
        const listed = counts.get(mode) ?? 0;
        if (recall_10 > 0 || listed >= LISTED) return;
        counts.set(mode, listed + 1);
        failed.push({ mode, query_id, query, ndcg_10, ranking });
      },
    });
    return { rows, failed };
  },
});
