import type { Verification } from '../../../engine/verify/verify.js';
import { text } from '../../fields.js';
import { outputs } from '../../outputs.js';
import { agentTool } from './tool.js';

export const verifyTool = agentTool({
  name: 'verify_citation',
  title: 'Check a citation',
  description:
    'Does the source still say what was cited? Give the citation (or the strata:… reference in it) from an earlier answer. Use it before relying on, or repeating, something that was found a while ago. The answer is unchanged, moved (with the new place), changed (with the passage most like it) or gone.',
  access: 'read',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  input: { citation: text('A citation as searches give it (`ref`), or a passage’s id') },
  output: outputs.verify,
  async run(library, { citation }): Promise<Verification> {
    const answer = await library.verify(citation);
    // Whoever cited it has the wording: only what is new is worth an agent's context.
    const { content: _, ...cited } = answer.cited;
    if (answer.status !== 'unchanged') return { ...answer, cited };
    const { place: __, ...rest } = answer;
    return { ...rest, cited };
  },
  text({ status, message, place }: Verification) {
    const now = place === undefined ? [] : ['', place.content, '', place.citation.ref];
    return [`${status}: ${message}`, ...now].join('\n');
  },
});
