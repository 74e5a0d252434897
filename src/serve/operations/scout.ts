import type { ScoutAnswer } from '../../engine/library.js';
import type { Brief } from '../../model/brief.js';
import { cleanLabel } from '../../model/indexed.js';
import { SEARCH_MODES } from '../../model/result.js';
import { doubt } from '../answers/doubt.js';
import { staleFields, staleMark } from '../answers/stale.js';
import { type Colours, colours, oneLine } from '../cli/terminal.js';
import { modeField, queryField } from '../fields/asking.js';
import { filterField, filterOf } from '../fields/filters.js';
import { integerOr, LONGEST_QUERY, optionalInteger, optionalText, text } from '../fields.js';
import { say } from '../language/language.js';
import { translate } from '../language/translate.js';
import {
  afterField,
  agentTool,
  maxTokensField,
  more,
  type Paged,
  pageOf,
  pagingOutput,
  withNotice,
} from '../mcp/agent-tool.js';
import { operation, type View } from '../operation.js';
import type { Schemas } from '../schemas.js';

export const scout = operation({
  name: 'scout',
  summary: 'List what may be relevant, in brief: titles, ids, summaries',
  description:
    'The same search as `search`, cut to briefs of documents and passages without their content, within a token budget: look first, then `inspect` the ids that matter.',
  access: 'read',
  ofTables: true,
  library: 'existing',
  input: {
    query: queryField,
    limit: integerOr(10, 'Briefs at most; 0 for all', { minimum: 0, cli: { short: 'n', value: 'N' } }),
    max_tokens: optionalInteger('Stop before the answer exceeds this many tokens', {
      minimum: 1,
      cli: { value: 'N' },
    }),
    mode: modeField,
    filter: filterField,
  },
  output,
  examples: [
    { command: 'strata scout "token budget"', explanation: 'what is there about it?' },
    {
      command: 'strata scout 部署 --max-tokens 500',
      explanation: "never more than an agent's context can take",
    },
  ],
  handler: (library, { query, limit, max_tokens, mode, filter }, { signal, isText }) =>
    library.scout(query, {
      limit,
      max_tokens,
      mode,
      filter: filterOf(filter, library),
      signal,
      ...(isText && { written: (answer: ScoutAnswer) => renderScout(answer, PLAIN, { query }) }),
    }),
  render: renderScout,
  tool: agentTool({
    name: 'scout',
    title: 'Survey the knowledge base',
    description:
      'List what may be relevant without its content: titles, ids and short summaries of documents and passages, best first. Use it first when the subject is broad or the context is small; then `inspect` the ids that matter. For a direct question `search_knowledge` saves a call.',
    input: {
      query: text('What to look for', { longest: LONGEST_QUERY }),
      limit: integerOr(10, 'Briefs at most', { minimum: 1, maximum: 100 }),
      after: afterField,
      mode: optionalText('hybrid (default), keyword, tfidf or vector', { choices: SEARCH_MODES }),
      filter: filterField,
      max_tokens: maxTokensField,
    },
    output: (schemas) => output(schemas).extend(pagingOutput(schemas)),
    async run(library, { query, limit, after, mode, max_tokens: _, filter }, { signal }) {
      const asked = { limit: after + limit + 1, mode, filter: filterOf(filter, library), signal };
      const found = await library.scout(query, asked);
      const { shown, next } = pageOf(found.briefs, after, limit);
      return { ...found, briefs: shown, after, next };
    },
    text(answer: ScoutAnswer & Paged) {
      const briefs = answer.briefs.map((brief) => {
        return `${headOf(brief)}${staleMark(brief)}\nID: ${brief.id}\nSummary: ${brief.summary}`;
      });
      const notices = answer.notices.map((notice) => `Note: ${notice}`);
      return [...doubt(answer, briefs.length), ...briefs, ...notices, ...more(answer)].join('\n\n');
    },
    shrink(answer: ScoutAnswer & Paged) {
      if (answer.briefs.length <= 1) return null;
      const kept = answer.briefs.slice(0, -1);
      const notices = withNotice(
        answer.notices,
        'Cut to fit max_tokens: ',
        `the best ${kept.length} are shown`,
      );
      return { ...answer, briefs: kept, notices, next: answer.after + kept.length };
    },
  }),
});

function output({ z, searchNotes }: Schemas) {
  return z.object({
    mode: z.enum(SEARCH_MODES),
    briefs: z.array(
      z.union([
        z.object({
          id: z.string(),
          title: z.string(),
          summary: z.string(),
          chunk_count: z.number(),
          is_parent: z.literal(true),
          ...staleFields(z),
        }),
        z.object({
          id: z.string(),
          parent_id: z.string(),
          title: z.string(),
          parent_doc_title: z.string(),
          summary: z.string(),
          position: z.number(),
          is_parent: z.literal(false),
          ...staleFields(z),
        }),
      ]),
    ),
    left_out: z.number().optional().describe('Briefs there was no room for within max_tokens'),
    ...searchNotes,
  });
}

/** As it is written where no terminal is: styles cost no tokens. */
const PLAIN: View = { colour: false, width: Number.POSITIVE_INFINITY, quiet: false, cwd: '' };

/** `[parent_doc] section_title` for a passage, `document_title` for a whole document, then id and summary. */
function renderScout(answer: ScoutAnswer, view: View, { query }: { readonly query: string }): string {
  const paint = colours(view);
  const briefs = answer.briefs.map((brief) => renderBrief(brief, paint));
  const parts = [...doubt({ ...answer, query }, briefs.length), ...briefs];
  for (const notice of answer.notices) parts.push(paint.dim(`· ${oneLine(translate(notice))}`));
  return parts.join('\n\n');
}

function renderBrief(brief: Brief, paint: Colours): string {
  return [
    `${paint.bold(headOf(brief))}${paint.yellow(staleMark(brief))}`,
    `${paint.dim('ID:')} ${brief.id}`,
    ...(brief.summary === ''
      ? []
      : [`${paint.dim(say('Summary:'))} ${oneLine(withoutMarks(brief.summary))}`]),
  ].join('\n');
}

/** On one line the marks of tables, headings and fences say nothing. */
const withoutMarks = (summary: string): string =>
  summary.replace(/:?-{3,}:?|^#{1,6} |\s#{1,6}(?= )|```\w*|~~~\w*|\|/g, ' ');

/** A document that is one passage is no slice of anything: it goes by its own title. */
function headOf(brief: Brief): string {
  const title = cleanLabel(brief.title);
  if (brief.is_parent || brief.title === brief.parent_doc_title) return title;
  return `[${cleanLabel(brief.parent_doc_title)}] ${title}`;
}
