import type { ScoutAnswer } from '../../../engine/library.js';
import { cleanLabel } from '../../../model/indexed.js';
import { SEARCH_MODES } from '../../../model/result.js';
import { integerOr, LONGEST_QUERY, optionalText, text } from '../../fields.js';
import { filterFields, filterOf } from '../../operations/filters.js';
import { briefs } from '../../outputs/records.js';
import { doubt } from '../../render/search.js';
import { agentTool, maxTokensField, withNotice } from './tool.js';

export const scoutTool = agentTool({
  name: 'scout',
  title: 'Survey the knowledge base',
  description:
    'List what may be relevant without its content: titles, ids and short summaries of documents and passages, best first. Use it first when the subject is broad or the context is small; then `inspect` the ids that matter. For a direct question `search_knowledge` saves a call.',
  access: 'read',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  input: {
    query: text('What to look for', { longest: LONGEST_QUERY }),
    limit: integerOr(10, 'Briefs at most', { minimum: 1, maximum: 100 }),
    mode: optionalText('hybrid (default), keyword, tfidf or vector', { choices: SEARCH_MODES }),
    ...filterFields,
    max_tokens: maxTokensField,
  },
  output: briefs,
  run: (library, { query, limit, mode, max_tokens, ...rest }, { signal }) =>
    library.scout(query, { limit, mode, max_tokens, filter: filterOf(rest, library), signal }),
  text(answer: ScoutAnswer) {
    const briefs = answer.briefs.map((brief) => {
      const title = cleanLabel(brief.title);
      const head = brief.is_parent ? title : `[${cleanLabel(brief.parent_doc_title)}] ${title}`;
      return `${head}\nID: ${brief.id}\nSummary: ${brief.summary}`;
    });
    const notices = answer.notices.map((notice) => `Note: ${notice}`);
    return [...doubt(answer, briefs.length), ...briefs, ...notices].join('\n\n');
  },
  shrink(answer: ScoutAnswer) {
    if (answer.briefs.length <= 1) return null;
    const kept = answer.briefs.slice(0, -1);
    const notices = withNotice(
      answer.notices,
      'Cut to fit max_tokens: ',
      `the best ${kept.length} are shown`,
    );
    return { ...answer, briefs: kept, notices };
  },
});
