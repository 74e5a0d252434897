import type { DocumentPage } from '../../engine/library.js';
import { type LeanDocument, leanDocument } from '../answers/lean-document.js';
import { colours, displayWidth, oneLine, padEnd, padStart, plural, shorten } from '../cli/terminal.js';
import { filterField, filterOf } from '../fields/filters.js';
import { integerOr, optionalText } from '../fields.js';
import { agentTool, maxTokensField } from '../mcp/agent-tool.js';
import { operation, type View } from '../operation.js';

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
    filter: filterField,
  },
  output: ({ z, document }) =>
    z.object({
      documents: z.array(document),
      next: z.string().nullable().describe('Give it as `after` for the next page; null at the end'),
    }),
  examples: [
    { command: 'strata list', explanation: 'everything' },
    { command: "strata list --path 'docs/*.md' --tag draft", explanation: 'some of it' },
  ],
  handler: (library, { limit, after, filter }) =>
    library.list({ limit: limit === 0 ? undefined : limit, after, filter: filterOf(filter, library) }),
  render: renderList,
  tool: agentTool({
    name: 'list_documents',
    title: 'List the documents',
    description:
      'List the documents of the knowledge base page by page, with id, title, path and a short summary. Use it to learn what the knowledge base covers or to find a document by its path; to find content, use `search_knowledge`.',
    input: {
      limit: integerOr(20, 'Documents per page', { minimum: 1, maximum: 200 }),
      after: optionalText("The last answer's `next`, for the page after it"),
      filter: filterField,
      max_tokens: maxTokensField,
    },
    output: ({ z, document }) =>
      z.object({
        documents: z.array(document.omit({ hash: true })),
        next: z.string().nullable().describe('Give it as `after` for the next page; null at the end'),
      }),
    async run(library, { limit, after, max_tokens: _, filter }): Promise<Page> {
      const page = await library.list({ limit, after, filter: filterOf(filter, library) });
      return { ...page, documents: page.documents.map(leanDocument) };
    },
    text({ documents, next }: Page) {
      const lines = documents.map(
        (document) =>
          `${document.title} (${document.source_path}, ${document.chunk_count} passages)\nID: ${document.id}`,
      );
      if (lines.length === 0) lines.push('No documents.');
      return [...lines, ...(next === null ? [] : [`Note: more follow; go on with after: ${next}`])].join(
        '\n',
      );
    },
    shrink({ documents }: Page) {
      if (documents.length <= 1) return null;
      const kept = documents.slice(0, -Math.ceil(documents.length / 8));
      return { documents: kept, next: kept.at(-1)!.source };
    },
  }),
});

/** A column this wide holds most paths; a longer one pushes its own line only. */
const PATH_COLUMN = 48;

function renderList(page: DocumentPage, view: View): string {
  const paint = colours(view);
  if (page.documents.length === 0) return 'No documents.';
  const paths = page.documents.map((document) => oneLine(document.source_path));
  const column = Math.min(PATH_COLUMN, Math.max(...paths.map(displayWidth)));
  const rows = page.documents.map((document, at) => {
    const row = [
      paint.dim(document.id.slice(0, 8)),
      padEnd(paths[at]!, column),
      padStart(String(document.chunk_count), 5),
      document.updated_at.slice(0, 10),
      paint.bold(oneLine(document.title)),
    ];
    return Number.isFinite(view.width) && !view.colour ? shorten(row.join('  '), view.width) : row.join('  ');
  });
  const total = page.next === null ? plural(page.documents.length, 'document') : `more after ${page.next}`;
  return view.quiet ? paths.join('\n') : [...rows, '', total].join('\n');
}

interface Page {
  readonly documents: readonly LeanDocument[];
  readonly next: string | null;
}
