import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { StrataError } from '../../model/errors.js';
import { SEARCH_MODES } from '../../model/result.js';
import { flag, optionalText, optionalTexts, texts } from '../fields.js';
import { operation } from '../operation.js';

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
    }),
    titles: flag('Give the documents their titles', { fallback: true }),
  },
  output: 'eval',
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
  render: async () => (await import('../render/eval.js')).renderEval,
  toJson: ({ rows }) => rows,
});
