import type { RemoveReport } from '../../../engine/library.js';
import { flag, texts } from '../../fields.js';
import { outputs } from '../../outputs.js';
import { agentTool, maxTokensField } from './tool.js';

export const removeKnowledge = agentTool({
  name: 'remove_knowledge',
  title: 'Remove from the knowledge base',
  description:
    'Remove documents from the knowledge base by id or path, with all their passages. The files themselves are not touched. Only when the person asks for it; `dry_run` shows what would go.',
  access: 'write',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: {
    targets: texts("Documents' ids or paths, or folders"),
    dry_run: flag('Only say what would be removed'),
    max_tokens: maxTokensField,
  },
  output: outputs.remove,
  run: (library, { targets, dry_run }, { cwd }) => library.remove(targets, { dry_run, cwd }),
  text({ removed, dry_run }: RemoveReport) {
    const head = `${removed.length} ${dry_run ? 'would be removed' : 'removed'}`;
    return [head, ...removed.map(({ title, source_path }) => `${title} (${source_path})`)].join('\n');
  },
});
