import { text } from '../fields.js';
import { operation } from '../operation.js';

export const verify = operation({
  name: 'verify',
  summary: 'Check whether a source still says what was cited',
  description:
    'Takes a citation as `search` prints it, a passage’s id or its beginning (`#0d8b53`), or a place (`guide.md:12`, `paper.pdf:p.4`), and compares what the library holds there it with the source as it is now: unchanged; moved, with the new place (also in another document); changed, with the passage most like it; or gone. Where the source cannot be read (a note, a web page), the copy in the library is asked, and the answer says so.',
  access: 'read',
  library: 'existing',
  input: {
    citation: text('A citation, the strata:… reference in it, a passage’s id, or a place', {
      cli: { positional: true, value: 'CITATION' },
    }),
  },
  output: 'verify',
  examples: [
    {
      command: "strata verify 'strata:0b8f2c1e-…/7d1a…#120-480@9f86d081884c7d65~…'",
      explanation: 'still true?',
    },
    { command: 'strata verify notes/guide.md:12', explanation: 'does the file still say what was added?' },
  ],
  handler: (library, { citation }, { cwd }) => library.verify(citation, { cwd }),
  render: async () => (await import('../render/verify.js')).renderVerify,
  problems: ({ status, message }) => (status === 'changed' || status === 'gone' ? [message] : []),
});
