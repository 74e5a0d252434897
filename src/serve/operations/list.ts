import { integerOr, optionalText } from '../fields.js';
import { operation } from '../operation.js';
import { filterFields, filterOf } from './filters.js';

export const list = operation({
  name: 'list',
  summary: 'List the documents in the library',
  description:
    'Documents in the order of their sources, with title, size in passages and when they last changed.',
  access: 'read',
  library: 'existing',
  input: {
    limit: integerOr(0, 'Documents at most; 0 for all', { minimum: 0, cli: { short: 'n', value: 'N' } }),
    after: optionalText("Start after this source (the last answer's `next`)", {
      cli: { flag: 'from', value: 'SOURCE' },
    }),
    ...filterFields,
  },
  output: 'list',
  examples: [
    { command: 'strata list', explanation: 'everything' },
    { command: "strata list --path 'docs/*.md' --tag draft", explanation: 'some of it' },
  ],
  handler: (library, { limit, after, ...rest }) =>
    library.list({ limit: limit === 0 ? undefined : limit, after, filter: filterOf(rest, library) }),
  render: async () => (await import('../render/list.js')).renderList,
});
