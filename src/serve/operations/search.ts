import { SEARCH_MODES } from '../../model/result.js';
import { flag, integerOr, LONGEST_QUERY, optionalText, text, textOr } from '../fields.js';
import { operation } from '../operation.js';
import { filterFields, filterOf } from './filters.js';

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
    explain: flag('Show what speaks for each passage: words, meaning, its document, words together'),
    ...filterFields,
  },
  output: 'search',
  examples: [
    { command: 'strata search "how are chunks cut"', explanation: 'a question' },
    { command: "strata search '配置 Nginx CORS' --path docs", explanation: 'below one folder' },
    { command: 'strata search \'"exact phrase"\' --json', explanation: 'for programs' },
  ],
  handler: (library, { query, limit, mode, context, prefix, explain, ...rest }, { signal }) =>
    library.search(query, { limit, mode, context, prefix, explain, filter: filterOf(rest, library), signal }),
  render: async () => (await import('../render/search.js')).renderSearch,
});
