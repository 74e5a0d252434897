import type { DocumentPage } from '../../engine/library.js';
import type { Document } from '../../model/document.js';
import { type LeanDocument, leanDocument } from '../answers/lean-document.js';
import {
  colours,
  displayWidth,
  oneLine,
  padEnd,
  padStart,
  plural,
  shorten,
  thousands,
} from '../cli/terminal.js';
import { filterField, filterOf } from '../fields/filters.js';
import { integerOr, optionalText } from '../fields.js';
import { say } from '../language/language.js';
import { translate } from '../language/translate.js';
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
      notices: z.array(z.string()).optional(),
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
        notices: z.array(z.string()).optional(),
      }),
    async run(library, { limit, after, max_tokens: _, filter }): Promise<Page> {
      const page = await library.list({ limit, after, filter: filterOf(filter, library) });
      return { ...page, documents: page.documents.map(leanDocument) };
    },
    text({ documents, next, notices = [] }: Page) {
      const lines = documents.map(
        (document) =>
          `${document.title} (${document.source_path}, ${document.chunk_count} passages)\nID: ${document.id}`,
      );
      if (lines.length === 0) lines.push('No documents.', ...notices.map((notice) => `Note: ${notice}`));
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
const ID_WIDTH = 8;
/** Room for a few words of a title; with less it stands on a line of its own. */
const LEAST_TITLE = 20;

function renderList(page: DocumentPage, view: View): string {
  if (page.documents.length === 0) {
    const notices = (page.notices ?? []).map((notice) => `· ${oneLine(translate(notice))}`);
    return view.quiet ? '' : [say('No documents.'), ...notices].join('\n');
  }
  const paths = page.documents.map((document) => oneLine(document.source_path));
  if (view.quiet) return paths.join('\n');
  const column = Math.min(PATH_COLUMN, Math.max(...paths.map(displayWidth)));
  const rows = page.documents.map((document, at) => rowOf(document, paths[at]!, column, view));
  const total =
    page.next === null
      ? plural(page.documents.length, 'document')
      : say('more follow: --from {1}', oneLine(page.next));
  return [...rows, '', total].join('\n');
}

/** One line, or two on a narrow terminal: nothing but a path is left to it to cut. */
function rowOf(document: Document, path: string, column: number, view: View): string {
  const paint = colours(view);
  const id = paint.dim(document.id.slice(0, ID_WIDTH));
  const facts = `${padStart(thousands(document.chunk_count), 5)}  ${document.updated_at.slice(0, 10)}`;
  const title = oneLine(document.title);
  const indent = ' '.repeat(ID_WIDTH + 2);
  const titled = (room: number): string => paint.bold(shorten(title, room));
  const rest = view.width - indent.length - Math.max(column, displayWidth(path)) - facts.length - 2;
  const start = `${id}  ${padEnd(path, column)}  ${facts}`;
  if (rest - 2 >= Math.min(LEAST_TITLE, displayWidth(title))) return `${start}  ${titled(rest - 2)}`;
  if (rest >= 0) return `${start}\n${indent}${titled(view.width - indent.length)}`;
  const room = Math.max(LEAST_TITLE / 2, view.width - indent.length - facts.trim().length - 2);
  return `${id}  ${path}\n${indent}${facts.trim()}  ${titled(room)}`;
}

interface Page {
  readonly documents: readonly LeanDocument[];
  readonly next: string | null;
  readonly notices?: readonly string[];
}
