import type { Verification } from '../../engine/verify/verify.js';
import { VERIFY_STATUSES } from '../../engine/verify/verify-status.js';
import { wordDiff } from '../answers/word-diff.js';
import { printable } from '../cli/print.js';
import { type Colours, colours, oneLine } from '../cli/terminal.js';
import { argument, text } from '../fields.js';
import { say } from '../language/language.js';
import { translate } from '../language/translate.js';
import { agentTool } from '../mcp/agent-tool.js';
import { operation, type View } from '../operation.js';

export const verify = operation({
  name: 'verify',
  summary: 'Check whether a source still says what was cited',
  description:
    'Takes a citation as `search` prints it, a passage’s id or its beginning (`#0d8b53`), or a place (`guide.md:12`, `paper.pdf:p.4`), and compares what the library holds there it with the source as it is now: unchanged; moved, with the new place (also in another document); changed, with the passage most like it; or gone. Where the source cannot be read (a note, a web page), the copy in the library is asked, and the answer says so.',
  access: 'read',
  ofTables: true,
  library: 'existing',
  input: {
    citation: argument('A citation, the strata:… reference in it, a passage’s id, or a place', 'CITATION'),
  },
  output: ({ z, citation }) =>
    z.object({
      status: z
        .enum(VERIFY_STATUSES)
        .describe('unchanged, moved (place: where to), changed (place: what is most like it), gone'),
      checked: z
        .enum(['source', 'store'])
        .describe('Asked of the file as it is now, or of the copy in the library'),
      cited: z.object({
        doc_id: z.string(),
        source_path: z.string().nullable(),
        content: z.string().optional(),
      }),
      place: z.object({ content: z.string(), citation }).optional(),
      similarity: z.number().optional().describe('0 to 1, of a changed passage'),
      message: z.string(),
    }),
  examples: [
    {
      command: "strata verify 'strata:0b8f2c1e-…/7d1a…#120-480@9f86d081884c7d65~…'",
      explanation: 'still true?',
    },
    { command: 'strata verify notes/guide.md:12', explanation: 'does the file still say what was added?' },
  ],
  handler: (library, { citation }, { cwd }) => library.verify(citation, { cwd }),
  render: renderVerify,
  problems: ({ status, message }) => (status === 'changed' || status === 'gone' ? [message] : []),
  tool: agentTool({
    name: 'verify_citation',
    title: 'Check a citation',
    description:
      'Does the source still say what was cited? Give the citation (or the strata:… reference in it) from an earlier answer. Use it before relying on, or repeating, something that was found a while ago. The answer is unchanged, moved (with the new place), changed (with the passage most like it) or gone.',
    input: { citation: text('A citation as searches give it (`ref`), or a passage’s id') },
    async run(library, { citation }): Promise<Verification> {
      const answer = await library.verify(citation);
      // The agent that cited the passage has its wording: only what is new is worth its context.
      const { content: _, ...cited } = answer.cited;
      if (answer.status !== 'unchanged') return { ...answer, cited };
      const { place: __, ...rest } = answer;
      return { ...rest, cited };
    },
    text({ status, message, place }: Verification) {
      const now = place === undefined ? [] : ['', place.content, '', place.citation.ref];
      return [`${status}: ${message}`, ...now].join('\n');
    },
  }),
});

function renderVerify({ status, place, message, cited }: Verification, view: View): string {
  const paint = colours(view);
  const colour = { unchanged: paint.green, moved: paint.yellow, changed: paint.red, gone: paint.red }[status];
  const told = status === 'changed' || status === 'gone' ? '' : oneLine(translate(message));
  // "moved within guide.md" begins with the status itself.
  const head = message.startsWith(status) ? colour(told) : `${colour(say(status))} ${told}`;
  const lines = [head.trimEnd()];
  if (view.quiet) return lines.join('\n');
  if (status === 'changed') lines.push(...difference(cited.content, place?.content, paint));
  if (status === 'moved' && place) lines.push(oneLine(place.citation.ref));
  return lines.join('\n');
}

/** Word by word where that can be read; else the one text, then the other. */
function difference(was: string | undefined, is: string | undefined, paint: Colours): string[] {
  const [before, now] = [was, is].map((text) => (text === undefined ? undefined : printable(text)));
  const shown = before === undefined || now === undefined ? null : wordDiff(before, now, paint);
  if (shown !== null) return ['', paint.dim(say('What changed, [-as it was-] and {+as it is+}:')), shown];
  return [
    ...(before === undefined ? [] : ['', paint.dim(say('It was:')), before]),
    ...(now === undefined ? [] : ['', paint.dim(say('It is now:')), now]),
  ];
}
