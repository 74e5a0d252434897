import type { RemoveReport } from '../../engine/library.js';
import { colours, oneLine, plural } from '../cli/terminal.js';
import { flag, MOST_PATHS, texts } from '../fields.js';
import { say } from '../language/language.js';
import { agentTool, maxTokensField } from '../mcp/agent-tool.js';
import { operation, type View } from '../operation.js';

export const remove = operation({
  name: 'remove',
  summary: 'Remove documents from the library (files stay untouched)',
  description:
    'Removes documents by path, folder or id, with their passages, words and vectors. The files themselves are not touched.',
  access: 'write',
  library: 'existing',
  input: {
    targets: texts('Paths, folders, ids or their beginnings (#0d8b53), places (guide.md:12), or citations', {
      most: MOST_PATHS,
      cli: { positional: true, value: 'TARGET' },
    }),
    dry_run: flag('Say what would be removed, change nothing'),
  },
  output: ({ z }) =>
    z.object({
      removed: z.array(z.object({ id: z.string(), source_path: z.string(), title: z.string() })),
      dry_run: z.boolean(),
    }),
  subject: ({ targets }) => targets.join(', '),
  examples: [
    { command: 'strata remove docs/old.md', explanation: 'one document' },
    { command: 'strata remove drafts --dry-run', explanation: 'what is below that folder?' },
  ],
  handler: (library, { targets, dry_run }, { cwd }) => library.remove(targets, { dry_run, cwd }),
  render: renderRemove,
  tool: agentTool({
    name: 'remove_knowledge',
    title: 'Remove from the knowledge base',
    description:
      'Remove documents from the knowledge base by id or path, with all their passages. The files themselves are not touched. Only when the person asks for it; `dry_run` shows what would go.',
    destructive: true,
    input: {
      targets: texts("Documents' ids or paths, or folders"),
      dry_run: flag('Only say what would be removed'),
      max_tokens: maxTokensField,
    },
    run: (library, { targets, dry_run }, { cwd }) => library.remove(targets, { dry_run, cwd }),
    text({ removed, dry_run }: RemoveReport) {
      const head = `${removed.length} ${dry_run ? 'would be removed' : 'removed'}`;
      return [head, ...removed.map(({ title, source_path }) => `${title} (${source_path})`)].join('\n');
    },
  }),
});

function renderRemove(report: RemoveReport, view: View): string {
  const paint = colours(view);
  const count = plural(report.removed.length, 'document');
  const total = report.dry_run ? say('Would remove {1}.', count) : say('Removed {1}.', count);
  if (view.quiet) return '';
  return [...report.removed.map(({ source_path }) => paint.dim(`- ${oneLine(source_path)}`)), total].join(
    '\n',
  );
}
