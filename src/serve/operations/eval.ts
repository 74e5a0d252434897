import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import type { EvalRow } from '../../engine/evaluate/evaluate.js';
import { StrataError } from '../../model/errors.js';
import { SEARCH_MODES } from '../../model/result.js';
import { colours, displayWidth, padEnd, padStart } from '../cli/terminal.js';
import { flag, optionalText, optionalTexts, texts } from '../fields.js';
import { translate } from '../language/translate.js';
import { operation, type View } from '../operation.js';

export const evaluation = operation({
  name: 'eval',
  summary: 'Measure how well searches find what they should, on a set of questions with known answers',
  description:
    'Each folder is a set: corpus.jsonl, queries.jsonl and qrels/test.tsv or qrels.tsv (BEIR form: which documents are right), or docs.jsonl and queries.jsonl (answer-span form: a hit is a passage of the right document that holds a whole answer). Its documents go through the ordinary pipeline into a temporary library, then every question is asked in each mode. With --library DIR the library of each set is kept in DIR/<set>, so that a second run adds and embeds nothing.',
  access: 'write',
  library: 'own',
  input: {
    folders: texts('Folders with sets', { cli: { positional: true, value: 'FOLDER' } }),
    modes: optionalTexts('Only this mode (repeat for several): hybrid, keyword, tfidf, vector', {
      choices: SEARCH_MODES,
      cli: { flag: 'mode', value: 'MODE' },
    }),
    inside: flag("Search inside each question's own document only (answer-span sets)"),
    per_query: optionalText('Write one line of JSON a query and mode to this file', {
      cli: { value: 'FILE' },
    }),
    queries: optionalText('Take the questions (answer-span form) from this file', { cli: { value: 'FILE' } }),
    docs: optionalText('Take the documents from this file', { cli: { value: 'FILE' } }),
    doc_prefix: optionalText('Only documents whose id starts so; the questions may leave it out', {
      cli: { value: 'TEXT' },
    }),
    embed: flag('Make all vectors first; without, hybrid makes those it needs while it searches', {
      fallback: true,
      cli: { no: 'Make no vectors first: hybrid makes those it needs while it searches' },
    }),
    titles: flag('Give the documents their titles', {
      fallback: true,
      cli: { no: 'Add the documents without their titles' },
    }),
  },
  output: ({ z }) =>
    z.object({
      rows: z.array(
        z.object({
          set: z.string(),
          mode: z.string(),
          ndcg_10: z.number(),
          recall_10: z.number(),
          recall_100: z.number(),
          mrr_10: z.number(),
          hit_1: z.number(),
          hit_5: z.number(),
          queries: z.number(),
          documents: z.number(),
          chunks: z.number(),
          mean_chunk_length: z.number().describe('In UTF-16 units'),
          ms_per_query: z.number(),
          ms_p50: z.number(),
          ms_p95: z.number(),
          notices: z.array(z.string()),
          difference: z
            .object({
              metric: z.enum(['ndcg_10', 'hit_1']),
              mode: z.string(),
              mean: z.number(),
              low: z.number(),
              high: z.number(),
            })
            .optional()
            .describe('From the first mode, with its 95 % interval by paired bootstrap'),
        }),
      ),
    }),
  examples: [
    { command: 'strata eval my-questions', explanation: 'a set of your own, all modes' },
    { command: 'strata eval sets/* --mode keyword --json', explanation: 'several, by words, for programs' },
  ],
  handler: async (_library, { folders, per_query, queries, docs, ...rest }, context) => {
    const { evaluate } = await import('../../engine/evaluate/evaluate.js');
    const path = (file: string): string => resolve(context.cwd, file);
    const lines = per_query === undefined ? null : createWriteStream(path(per_query));
    const broken =
      lines &&
      finished(lines).catch((error: Error) => {
        throw new StrataError('STORE_FAILED', `${per_query}: it cannot be written (${error.message})`);
      });
    const rows = await evaluate(folders.map(path), {
      ...rest,
      queries: queries && path(queries),
      docs: docs && path(docs),
      library: context.library,
      onProgress: context.progress,
      signal: context.signal,
      ...(lines && { onQuery: (row) => lines.write(`${JSON.stringify(row)}\n`) }),
    });
    lines?.end();
    await broken;
    return { rows };
  },
  render: renderEval,
  toJson: ({ rows }) => rows,
});

const score = (value: number): string => value.toFixed(3);

const COLUMNS: readonly (readonly [name: string, value: (row: EvalRow) => string])[] = [
  ['set', (row) => row.set],
  ['mode', (row) => row.mode],
  ['nDCG@10', (row) => score(row.ndcg_10)],
  ['recall@10', (row) => score(row.recall_10)],
  ['recall@100', (row) => score(row.recall_100)],
  ['MRR@10', (row) => score(row.mrr_10)],
  ['hit@1', (row) => score(row.hit_1)],
  ['hit@5', (row) => score(row.hit_5)],
  ['queries', (row) => String(row.queries)],
  ['chunk', (row) => String(Math.round(row.mean_chunk_length))],
  ['ms/query', (row) => row.ms_per_query.toFixed(1)],
  ['± first mode', ({ difference }) => (difference ? interval(difference) : '')],
];

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;

/** How much better than the first mode, and between what 95 of 100 draws of the questions lie. */
const interval = ({ metric, mean, low, high }: NonNullable<EvalRow['difference']>): string =>
  `${metric === 'hit_1' ? 'hit@1' : 'nDCG'} ${signed(mean)} (${signed(low)} … ${signed(high)})`;

/** One line per set and mode. */
function renderEval({ rows }: { readonly rows: readonly EvalRow[] }, view: View): string {
  const paint = colours(view);
  const cells = rows.map((row) => COLUMNS.map(([, value]) => value(row)));
  const widths = COLUMNS.map(([name], at) =>
    Math.max(name.length, ...cells.map((row) => displayWidth(row[at]!))),
  );
  const line = (row: readonly string[]): string =>
    row.map((cell, at) => (at < 2 ? padEnd(cell, widths[at]!) : padStart(cell, widths[at]!))).join('  ');
  const notices = [...new Set(rows.flatMap((row) => row.notices))];
  return [
    paint.dim(line(COLUMNS.map(([name]) => name))),
    ...cells.map(line),
    ...notices.map((text) => paint.dim(translate(text))),
  ].join('\n');
}
