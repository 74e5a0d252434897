import { flag, text } from '../fields.js';
import { operation } from '../operation.js';

export const show = operation({
  name: 'show',
  summary: 'Show one document: what it is, its outline, its text',
  description: "A document's record, its sections as an outline, and its text as the library keeps it.",
  access: 'read',
  library: 'existing',
  input: {
    document: text("Its path, its id, or the id's beginning", {
      cli: { positional: true, value: 'DOCUMENT' },
    }),
    text: flag('Only the text'),
  },
  output: 'show',
  examples: [
    { command: 'strata show docs/guide.md', explanation: 'by path' },
    { command: 'strata show 0b8f2c1e --text', explanation: "the text, by an id's beginning" },
  ],
  handler: (library, input) => library.show(input.document),
  render: async () => (await import('../render/show.js')).renderShow,
});
