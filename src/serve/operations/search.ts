import { CONTENT_TYPES } from '../../model/chunk.js';
import { SEARCH_MODES, type SearchAnswer } from '../../model/result.js';
import { doubt } from '../answers/doubt.js';
import {
  type LeanAnswer,
  type LeanPassage,
  type LeanResult,
  leanAnswer,
  smallerAnswer,
} from '../answers/lean-search.js';
import { leanJson, searchFormats } from '../answers/search-formats.js';
import { searchAsText } from '../answers/search-text.js';
import { staleFields, staleMark } from '../answers/stale.js';
import { modeField, queryField } from '../fields/asking.js';
import { filterField, filterOf } from '../fields/filters.js';
import { flag, integerOr, LONGEST_QUERY, optionalNumber, optionalText, text, textOr } from '../fields.js';
import { afterField, agentTool, maxTokensField, more, pageOf, pagingOutput } from '../mcp/agent-tool.js';
import { operation } from '../operation.js';
import type { Schemas } from '../schemas.js';

export const search = operation({
  name: 'search',
  summary: 'Find the passages that answer a question',
  description:
    'Finds passages by words and by meaning and shows the best of each document, with its titles, its place (line or page), how well it matches (0–100 %, the same scale in every mode) and an id that `inspect`, `show` and `verify` take. Put "exact phrases" in quotes; `-word` at the end leaves out passages that hold it. Chinese and English, mixed if you like.',
  access: 'read',
  ofTables: true,
  library: 'existing',
  input: {
    query: queryField,
    limit: integerOr(5, 'Documents at most; 0 for all', { minimum: 0, cli: { short: 'n', value: 'N' } }),
    passages: integerOr(1, 'Passages of each document at most; 0 for all', {
      minimum: 0,
      cli: { value: 'N' },
    }),
    min_score: optionalNumber('Only passages that match at least this well', {
      minimum: 0,
      maximum: 1,
      cli: { value: 'PERCENT', percent: true },
    }),
    mode: modeField,
    context: optionalText('What to add around a hit in JSON: its neighbours, the whole document, none', {
      choices: ['neighbours', 'document', 'none'] as const,
      cli: { value: 'WHAT' },
    }),
    prefix: flag('The last word may be unfinished (so may any word followed by *)'),
    explain: flag(
      'Show what speaks for each passage (words, meaning, its document, words together, better passages that name it or are like it), and which words were translated',
    ),
    filter: filterField,
  },
  output: (schemas) => outputs(schemas).answer,
  examples: [
    { command: 'strata search "how are chunks cut"', explanation: 'a question' },
    { command: "strata search '配置 Nginx CORS' --path docs", explanation: 'below one folder' },
    {
      command: 'strata search \'"exact phrase" -draft\'',
      explanation: 'these words together, and not that one',
    },
    { command: 'strata search backups -n 20 --format files', explanation: 'also json, jsonl, md, csv' },
  ],
  handler: (library, { query, passages, filter, ...asked }, { signal }) =>
    library.search(query, {
      ...asked,
      chunks_per_document: passages,
      filter: filterOf(filter, library),
      signal,
    }),
  render: searchAsText,
  formats: searchFormats,
  hasFull: true,
  toJson: (answer: SearchAnswer, input, { full }) => (full ? answer : leanJson(answer, input)),
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

/** What one channel says for a passage. */
const evidence = (z: Schemas['z']) =>
  z.object({
    channel: z.string(),
    rank: z.number(),
    score: z.number(),
    weight: z.number(),
    base: z.number(),
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
    explain: z.array(evidence(z)).optional(),
  });
  const place = { chunk_index: true, start_position: true, end_position: true } as const;
  const contextChunk = matchedChunk.pick({ chunk_id: true, content: true, heading: true, ...place });
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

function resultText(result: LeanResult): string {
  const head = `## ${result.item.title} (${result.item.source_path})${staleMark(result)}`;
  if (result.matched_chunks.length === 0) return `${head}\n${result.item.summary}`;
  return [head, ...result.matched_chunks.map(passageText)].join('\n');
}

/** The citation says where it stands: path, titles, lines or page. */
const passageText = ({ content, citation: { ref } }: LeanPassage): string => `${content.trim()}\n— ${ref}`;
