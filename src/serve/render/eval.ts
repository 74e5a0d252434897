import type { EvalRow } from '../../engine/evaluate/evaluate.js';
import { colours, displayWidth, padEnd, padStart } from '../cli/terminal.js';
import type { View } from '../operation.js';

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
];

/** One line a set and mode. */
export function renderEval({ rows }: { readonly rows: readonly EvalRow[] }, view: View): string {
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
    ...notices.map((text) => paint.dim(text)),
  ].join('\n');
}
