import type { LibraryStatus } from '../../../engine/library.js';
import { withoutPlaces } from '../../operations/status.js';
import { outputs } from '../../outputs.js';
import { agentTool } from './tool.js';

export const statusTool = agentTool({
  name: 'status',
  title: 'State of the knowledge base',
  description:
    'How many documents and passages the knowledge base holds, and whether search by meaning is ready. Use it when searches find less than expected.',
  access: 'read',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  input: {},
  output: outputs.status,
  run: async (library) => withoutPlaces(await library.status()),
  text({ documents, chunks, vectors }: LibraryStatus) {
    const meaning =
      vectors.model === null
        ? `search by words only (${vectors.reason ?? 'no model'})`
        : `${vectors.embedded} of ${chunks} passages can be found by meaning (${vectors.model})`;
    return `${documents} documents, ${chunks} passages; ${meaning}`;
  },
});
