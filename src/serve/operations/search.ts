import { CONTENT_TYPES } from '../../model/chunk.js';
import {
  type Highlight,
  type MatchedChunk,
  SEARCH_MODES,
  type SearchAnswer,
  type SearchResult,
} from '../../model/result.js';
import { doubt } from '../answers/doubt.js';
import { excerpt, plainExcerpt } from '../answers/excerpt.js';
import {
  type LeanAnswer,
  type LeanPassage,
  type LeanResult,
  leanAnswer,
  smallerAnswer,
} from '../answers/lean-search.js';
import { placeOf, titlePath } from '../answers/place.js';
import { staleFields, staleMark } from '../answers/stale.js';
import { type Colours, colours, oneLine, plural } from '../cli/terminal.js';
import { filterField, filterOf } from '../fields/filters.js';
import { flag, integerOr, LONGEST_QUERY, optionalText, text, textOr } from '../fields.js';
import { say } from '../language/language.js';
import { afterField, agentTool, maxTokensField, more, pageOf, pagingOutput } from '../mcp/agent-tool.js';
import { operation, type View } from '../operation.js';
import type { Schemas } from '../schemas.js';

export const search = operation({
  name: 'search',
  summary: 'Find the passages that answer a question',
  description:
    'Finds passages by words and by meaning and shows them by document, best first, each with its title path, its place (lines or page) and a citation that `strata verify` can check. Put "exact phrases" in quotes. Chinese and English, mixed if you like.',
  access: 'read',
  library: 'existing',
  input: {
    query: text('What to look for', {
      longest: LONGEST_QUERY,
      cli: { positional: true, joined: true, value: 'QUERY' },
    }),
    limit: integerOr(10, 'Documents at most; 0 for all', { minimum: 0, cli: { short: 'n', value: 'N' } }),
    mode: optionalText('hybrid (words and meaning), keyword, tfidf, or vector', {
      choices: SEARCH_MODES,
      cli: { value: 'MODE' },
    }),
    context: textOr('neighbours', 'What to load around a hit: its neighbours, the whole document, none', {
      choices: ['neighbours', 'document', 'none'] as const,
      cli: { value: 'WHAT' },
    }),
    prefix: flag('The last word may be unfinished (so may any word followed by *)'),
    explain: flag(
      'Show what speaks for each passage (words, meaning, its document, words together), and which words were translated',
    ),
    filter: filterField,
  },
  output: (schemas) => outputs(schemas).answer,
  examples: [
    { command: 'strata search "how are chunks cut"', explanation: 'a question' },
    { command: "strata search '配置 Nginx CORS' --path docs", explanation: 'below one folder' },
    { command: 'strata search \'"exact phrase"\' --json', explanation: 'for programs' },
  ],
  handler: (library, { query, limit, mode, context, prefix, explain, filter }, { signal }) =>
    library.search(query, {
      limit,
      mode,
      context,
      prefix,
      explain,
      filter: filterOf(filter, library),
      signal,
    }),
  render: renderSearch,
  tool: agentTool({
    name: 'search_knowledge',
    title: 'Search the knowledge base',
    description:
      'Find the passages that answer a question, in Chinese or English, by words and by meaning. Use it when you need the answer itself: it returns whole passages with heading, position and a citation. Ask in the words of the question; put "exact phrases" in quotes. To survey what exists first, at a fraction of the tokens, use `scout`. Quote `citation.ref` with what you say; `verify_citation` checks it later.',
    input: {
      query: text('The question, or words to look for', { longest: LONGEST_QUERY }),
      limit: integerOr(5, 'Documents at most', { minimum: 1, maximum: 50 }),
      after: afterField,
      context: textOr('none', 'What to add around a hit: its neighbours, the whole document, none', {
        choices: ['none', 'neighbours', 'document'] as const,
      }),
      mode: optionalText('hybrid (default), keyword, tfidf or vector', { choices: SEARCH_MODES }),
      filter: filterField,
      max_tokens: maxTokensField,
    },
    output: (schemas) => {
      const { z, citation, document } = schemas;
      const { answer, result, matchedChunk } = outputs(schemas);
      const passage = matchedChunk
        .omit({ explain: true })
        .extend({ citation: citation.pick({ ref: true, content_hash: true }) });
      const item = document.omit({ hash: true });
      const results = z.array(result.extend({ item, matched_chunks: z.array(passage) }));
      return answer.omit({ translations: true }).extend({ results, ...pagingOutput(schemas) });
    },
    async run(library, { query, limit, after, context, mode, max_tokens: _, filter }, { signal }) {
      const asked = { limit: after + limit + 1, context, mode, filter: filterOf(filter, library), signal };
      const found = await library.search(query, asked);
      const { shown, next } = pageOf(found.results, after, limit);
      return leanAnswer({ ...found, results: shown, after, next });
    },
    text(answer: LeanAnswer) {
      const results = answer.results.map(resultText);
      const notices = answer.notices.map((notice) => `Note: ${notice}`);
      return [...doubt(answer, results.length), ...results, ...notices, ...more(answer)].join('\n\n');
    },
    shrink: smallerAnswer,
  }),
});

/** Its answer, and the parts that agents get in a leaner form. */
function outputs({ z, loc, citation, document, searchNotes }: Schemas) {
  // No tuple: clients with older JSON Schema validators refuse what zod makes of one.
  const span = z.array(z.number()).length(2);
  const matchedChunk = z.object({
    chunk_id: z.string(),
    content: z.string(),
    heading: z.string(),
    title_path: z.array(z.string()),
    chunk_index: z.number(),
    content_type: z.enum(CONTENT_TYPES),
    content_types: z.array(z.enum(CONTENT_TYPES)),
    start_position: z.number(),
    end_position: z.number(),
    loc,
    best_sentence: z
      .object({ start_position: z.number(), end_position: z.number(), line: z.number().optional() })
      .optional(),
    score: z.number(),
    citation,
    explain: z
      .array(z.object({ channel: z.string(), rank: z.number(), score: z.number(), weight: z.number() }))
      .optional(),
  });
  const contextChunk = z.object({
    chunk_id: z.string(),
    content: z.string(),
    heading: z.string(),
    chunk_index: z.number(),
    start_position: z.number(),
    end_position: z.number(),
  });
  const result = z.object({
    item: document,
    relevance_score: z.number(),
    matched_fields: z.array(z.string()),
    highlights: z.array(
      z.object({
        field: z.enum(['title', 'content', 'summary']),
        text: z.string(),
        matches: z.array(span),
        chunk_id: z.string().optional(),
      }),
    ),
    matched_chunks: z.array(matchedChunk),
    context_chunks: z.array(contextChunk),
    ...staleFields(z),
  });
  const answer = z.object({
    query: z.string(),
    mode: z.enum(SEARCH_MODES),
    results: z.array(result),
    ...searchNotes,
    translations: z
      .array(z.object({ from: z.string(), to: z.array(z.string()) }))
      .optional()
      .describe('With explain: words that were also looked for in other ways, by dictionary or glossary'),
  });
  return { answer, result, matchedChunk };
}

/** Passages shown of one document; `--json` has all. */
const PASSAGES = 3;
function renderSearch(answer: SearchAnswer, view: View): string {
  const paint = colours(view);
  const results = answer.results.map((result, at) => renderResult(result, at + 1, view, paint));
  const parts = [...doubt(answer, results.length), ...results];
  const translations = (answer.translations ?? []).map(
    ({ from, to }) => `   ${oneLine(from)} → ${oneLine(to.join(', '))}`,
  );
  if (translations.length > 0) parts.push(paint.dim([say('Also looked for:'), ...translations].join('\n')));
  for (const notice of answer.notices) parts.push(paint.dim(`· ${notice}`));
  return parts.join('\n\n');
}

function renderResult(result: SearchResult, rank: number, view: View, paint: Colours): string {
  const { item, matched_chunks: chunks } = result;
  const stale = paint.yellow(staleMark(result));
  const head = `${paint.bold(`${rank}. ${oneLine(item.title)}`)}  ${paint.dim(oneLine(item.source_path))}${stale}`;
  if (chunks.length === 0) {
    const summary = result.highlights[0] ?? plainExcerpt(item.summary, 'summary');
    return [head, ...excerpt(summary, view, paint)].join('\n');
  }
  const shown = chunks.slice(0, PASSAGES).map((chunk) => renderChunk(chunk, result, view, paint));
  const rest = chunks.length - shown.length;
  const more = rest > 0 ? [paint.dim(`   + ${plural(rest, 'more passage')} in this document`)] : [];
  return [head, shown.join('\n'), ...more].join('\n');
}

function renderChunk(chunk: MatchedChunk, result: SearchResult, view: View, paint: Colours): string {
  const path = oneLine(titlePath(chunk.title_path.length > 0 ? chunk.title_path : [chunk.heading]));
  const line = chunk.best_sentence?.line ?? chunk.loc.lines?.from;
  const place = oneLine(placeOf(result.item.source_path, chunk.loc, line));
  const lines = [
    `   ${paint.cyan(path)}  ${paint.dim(chunk.score.toFixed(3))}`,
    ...excerpt(highlightOf(chunk, result), view, paint),
    `   ${paint.underline(place)}  ${paint.dim(refOf(chunk))}`,
  ];
  for (const { channel, rank, score, weight } of chunk.explain ?? []) {
    lines.push(
      paint.dim(`   ${channel}: rank ${rank}, score ${score.toFixed(4)}, weight ${weight.toFixed(2)}`),
    );
  }
  return lines.join('\n');
}

/** The part of a citation that `strata verify` reads; the place stands before it already. */
const refOf = ({ citation }: MatchedChunk): string =>
  /strata:[^\]\s]+/.exec(citation.ref)?.[0] ?? citation.ref;

/** The excerpt that was made for this passage, else its beginning. */
function highlightOf(chunk: MatchedChunk, result: SearchResult): Highlight {
  const made = result.highlights.find((highlight) => highlight.chunk_id === chunk.chunk_id);
  return made ?? plainExcerpt(chunk.content, 'content');
}

function resultText(result: LeanResult): string {
  const head = `## ${result.item.title} (${result.item.source_path})${staleMark(result)}`;
  if (result.matched_chunks.length === 0) return `${head}\n${result.item.summary}`;
  return [head, ...result.matched_chunks.map(passageText)].join('\n');
}

/** The citation says where it stands: path, titles, lines or page. */
const passageText = ({ content, citation: { ref } }: LeanPassage): string => `${content.trim()}\n— ${ref}`;
