import { join, relative } from 'node:path';
import type { MatchedChunk, SearchAnswer, SearchResult } from '../../model/result.js';
import { oneLine } from '../cli/terminal.js';
import type { View } from '../operation.js';
import { leanDocument } from './lean-document.js';
import { placeOf, titlePath } from './place.js';
import { percent } from './search-text.js';

/** A search's answer for other programs: `--format`. */

/**
 * What `--json` prints unless `--full` is given: every text once. Excerpts repeat passages, summaries their documents,
 * neighbours come where they were asked for, and a citation's place stands beside it already.
 */
export function leanJson(answer: SearchAnswer, { context }: { readonly context?: string | undefined }) {
  return {
    ...answer,
    results: answer.results.map(({ item, highlights: _, context_chunks, matched_chunks, ...result }) => {
      const { summary, ...document } = leanDocument(item);
      return {
        item: matched_chunks.length === 0 ? { ...document, summary } : document,
        ...result,
        matched_chunks: matched_chunks.map(leanPassage),
        ...(context !== undefined && { context_chunks }),
      };
    }),
  };
}

const leanPassage = ({ citation: { ref, content_hash }, ...chunk }: MatchedChunk) => ({
  ...chunk,
  citation: { ref, content_hash },
});

/** One line of JSON per passage. */
function* jsonLines({ results }: SearchAnswer): Generator<string> {
  let isFirst = true;
  for (const { result, chunk } of passages(results)) {
    const { id: doc_id, title, source_path } = result.item;
    const line = JSON.stringify({ doc_id, title, source_path, ...leanPassage(chunk) });
    yield isFirst ? line : `\n${line}`;
    isFirst = false;
  }
}

/** For notes and mails: the passage as a quotation, its place, and what `strata verify` checks. */
const markdown = ({ results }: SearchAnswer): string =>
  passages(results)
    .map(({ result, chunk }) => {
      const titles = oneLine(titlePath(chunk.title_path)) || oneLine(result.item.title);
      const quoted = chunk.content
        .trim()
        .split('\n')
        .map((line) => `> ${line}`.trimEnd());
      const place = `\`${placeIn(result, chunk).replaceAll('`', "'")}\`, ${percent(chunk.score)} match`;
      return [
        `**${titles}** (${place})`,
        '',
        ...quoted,
        '',
        `<!-- ${oneLine(chunk.citation.ref).replaceAll('--', '- -')} -->`,
      ].join('\n');
    })
    .join('\n\n');

/** A cell that a spreadsheet would take for a formula is marked as text. */
async function csv({ results }: SearchAnswer): Promise<string> {
  const { unparse } = (await import('papaparse')).default;
  const rows = passages(results).map(({ result, chunk }) => ({
    score: chunk.score.toFixed(4),
    source_path: result.item.source_path,
    place: placeIn(result, chunk),
    title: result.item.title,
    title_path: titlePath(chunk.title_path),
    chunk_id: chunk.chunk_id,
    content: chunk.content,
    citation: chunk.citation.ref,
  }));
  const columns = ['score', 'source_path', 'place', 'title', 'title_path', 'chunk_id', 'content', 'citation'];
  return unparse({ fields: columns, data: rows }, { escapeFormulae: true, newline: '\n' });
}

/** Paths that open from here, each once, best first: for `xargs` and editors. */
const files = ({ results }: SearchAnswer, { cwd, root }: View): string =>
  [...new Set(results.map(({ item }) => fileOf(item.source_path, cwd, root)))].join('\n');

const fileOf = (path: string, cwd: string, root: string | undefined): string =>
  root === undefined || /^[a-z][a-z+.-]*:/i.test(path) ? path : relative(cwd, join(root, path)) || '.';

const passages = (results: readonly SearchResult[]) =>
  results.flatMap((result) => result.matched_chunks.map((chunk) => ({ result, chunk })));

const placeIn = ({ item }: SearchResult, { loc, best_sentence }: MatchedChunk): string =>
  oneLine(placeOf(item.source_path, loc, best_sentence?.line ?? loc.lines?.from));

export const searchFormats = { jsonl: jsonLines, md: markdown, csv, files };
