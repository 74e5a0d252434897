import type { Verification } from '../../engine/verify.js';
import { text } from '../fields.js';
import { outputs } from '../outputs.js';
import { agentTool } from './tool.js';

export const verifyTool = agentTool({
  name: 'verify_citation',
  title: 'Check a citation',
  description:
    'Does the source still say what was cited? Give the citation (or the strata:… reference in it) from an earlier answer. Use it before relying on, or repeating, something that was found a while ago. The answer is unchanged, moved (with the new place), changed (with the passage most like it) or gone.',
  access: 'read',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  input: { citation: text('A citation as searches give it (`ref`)') },
  output: outputs.verify,
  run: (library, { citation }) => library.verify(citation),
  text({ status, message, place }: Verification) {
    const now =
      place === undefined || status === 'unchanged' ? [] : ['', place.content, '', place.citation.ref];
    return [`${status}: ${message}`, ...now].join('\n');
  },
});
