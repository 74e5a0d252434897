import { text } from '../fields.js';
import { operation } from '../operation.js';

export const inspect = operation({
  name: 'inspect',
  summary: 'Show the full content behind an id',
  description:
    "A passage's id gives its content, title and document; a document's id gives all its passages with their content, in order. Ids come from `scout`, `search` and `list`.",
  access: 'read',
  library: 'existing',
  input: {
    id: text('Of a passage or a document', { cli: { positional: true, value: 'ID' } }),
  },
  output: 'inspect',
  examples: [{ command: 'strata inspect 0b8f2c1e-…', explanation: 'an id that scout printed' }],
  handler: (library, { id }) => library.inspect(id),
  render: async () => (await import('../render/inspect.js')).renderInspect,
});
