import { SEARCH_MODES } from '../../model/result.js';
import { integerOr, LONGEST_QUERY, optionalInteger, optionalText, text } from '../fields.js';
import { operation } from '../operation.js';
import { filterFields, filterOf } from './filters.js';

export const scout = operation({
  name: 'scout',
  summary: 'List what may be relevant, in brief: titles, ids, summaries',
  description:
    'The same search as `search`, cut to briefs of documents and passages without their content, within a token budget: look first, then `inspect` the ids that matter.',
  access: 'read',
  library: 'existing',
  input: {
    query: text('What to look for', {
      longest: LONGEST_QUERY,
      cli: { positional: true, joined: true, value: 'QUERY' },
    }),
    limit: integerOr(10, 'Briefs at most; 0 for all', { minimum: 0, cli: { short: 'n', value: 'N' } }),
    max_tokens: optionalInteger('Stop before the answer exceeds this many tokens', {
      minimum: 1,
      cli: { value: 'N' },
    }),
    mode: optionalText('hybrid (words and meaning), keyword, tfidf, or vector', {
      choices: SEARCH_MODES,
      cli: { value: 'MODE' },
    }),
    ...filterFields,
  },
  output: 'scout',
  examples: [
    { command: 'strata scout "token budget"', explanation: 'what is there about it?' },
    {
      command: 'strata scout 部署 --max-tokens 500',
      explanation: "never more than an agent's context can take",
    },
  ],
  handler: (library, { query, limit, max_tokens, mode, ...rest }, { signal }) =>
    library.scout(query, { limit, max_tokens, mode, filter: filterOf(rest, library), signal }),
  render: async () => (await import('../render/scout.js')).renderScout,
});
