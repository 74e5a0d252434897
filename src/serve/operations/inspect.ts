import type { ChunkInspection, Inspection } from '../../engine/library.js';
import { CONTENT_TYPES } from '../../model/chunk.js';
import { placeOf, titlePath } from '../answers/place.js';
import { staleFields, staleMark } from '../answers/stale.js';
import { printable } from '../cli/print.js';
import { type Colours, colours, oneLine, plural } from '../cli/terminal.js';
import { argument, integerOr, text } from '../fields.js';
import { say } from '../language/language.js';
import { translate } from '../language/translate.js';
import { agentTool, maxTokensField } from '../mcp/agent-tool.js';
import { operation, type View } from '../operation.js';

export const inspect = operation({
  name: 'inspect',
  summary: 'Show the full content behind an id',
  description:
    "A passage's id gives its content, title and document; a document's id gives all its passages with their content, in order. Ids come from `scout`, `search` and `list`.",
  access: 'read',
  ofTables: true,
  library: 'existing',
  input: {
    id: argument('An id or its beginning (#0d8b53), a place (guide.md:12), a path, or a citation', 'ID'),
  },
  output: ({ z, loc, citation }) => {
    const chunkInspection = z.object({
      is_parent: z.literal(false),
      id: z.string(),
      parent_id: z.string(),
      title: z.string(),
      parent_doc_title: z.string(),
      title_path: z.array(z.string()),
      chunk_index: z.number(),
      content_type: z.enum(CONTENT_TYPES),
      content_types: z.array(z.enum(CONTENT_TYPES)),
      content: z.string(),
      token_count: z.number(),
      start_position: z.number(),
      end_position: z.number(),
      loc,
      previous_id: z.string().nullable(),
      next_id: z.string().nullable(),
      citation,
      ...staleFields(z),
      notices: z.array(z.string()).optional(),
    });
    return z.union([
      chunkInspection,
      z.object({
        is_parent: z.literal(true),
        id: z.string(),
        title: z.string(),
        summary: z.string(),
        source_path: z.string(),
        updated_at: z.string(),
        chunk_count: z.number(),
        children: z.array(chunkInspection),
        ...staleFields(z),
        notices: z.array(z.string()).optional(),
      }),
    ]);
  },
  examples: [{ command: 'strata inspect 0b8f2c1e-…', explanation: 'an id that scout printed' }],
  handler: (library, { id }, { cwd }) => library.inspect(id, { cwd }),
  render: renderInspect,
  tool: agentTool({
    name: 'inspect',
    title: 'Read a passage or a document',
    description:
      'Read the full content behind an id from `scout`, `search_knowledge` or `list_documents`. A passage comes with its neighbours when you set `neighbours`; a document comes passage by passage from `from` on, as far as max_tokens reaches (`next` says where to go on).',
    input: {
      id: text('Of a passage or a document'),
      neighbours: integerOr(0, 'For a passage: how many before and after it to add', {
        minimum: 0,
        maximum: 10,
      }),
      from: integerOr(0, 'For a document: the first chunk_index to read', { minimum: 0 }),
      max_tokens: maxTokensField,
    },
    output: ({ z, loc }) =>
      z.object({
        is_parent: z.boolean().describe('The id was a document’s'),
        parent_id: z.string().describe("The document's id"),
        parent_doc_title: z.string(),
        source_path: z.string(),
        chunk_count: z.number(),
        ...staleFields(z),
        notices: z.array(z.string()).optional(),
        children: z
          .array(
            z.object({
              id: z.string(),
              title: z.string(),
              title_path: z.array(z.string()),
              chunk_index: z.number(),
              content: z.string(),
              start_position: z.number(),
              end_position: z.number(),
              loc,
            }),
          )
          .describe('In reading order: the passage (with its neighbours), or the document from `from` on'),
        next: z
          .number()
          .nullable()
          .describe('Give it as `from` to read on; null at the end of what was asked for'),
      }),
    async run(library, { id, neighbours, from }): Promise<Inspected> {
      const found = await library.inspect(id);
      if (found.is_parent) {
        const children = found.children.filter(({ chunk_index }) => chunk_index >= from).map(passageOf);
        return { is_parent: true, ...parentOf(found), ...notesOf(found), children, next: null };
      }
      const parent = await library.find(found.parent_id);
      const children = (await library.around(found.id, neighbours)).map(passageOf);
      return { is_parent: false, ...parentOf(parent), ...notesOf(found), children, next: null };
    },
    text({ parent_doc_title, source_path, children, next, notices, ...found }: Inspected) {
      const bodies = children.map((chunk) => {
        const where = chunk.title_path.join(' > ') || chunk.title;
        return `### ${where}\n${chunk.content.trim()}\n[${placeOf(source_path, chunk.loc)}] ${chunk.id}`;
      });
      const more = next === null ? [] : [`Note: more follows; read on with from: ${next}`];
      const notes = (notices ?? []).map((notice) => `Note: ${notice}`);
      const head = `## ${parent_doc_title} (${source_path})${staleMark(found)}`;
      return [head, ...bodies, ...notes, ...more].join('\n\n');
    },
    /** The last passages are left out: the agent reads on from `next`. */
    shrink(answer: Inspected) {
      const { children } = answer;
      if (children.length <= 1) return null;
      const keep = Math.max(1, children.length - Math.ceil(children.length / 8));
      return { ...answer, children: children.slice(0, keep), next: children[keep]?.chunk_index ?? null };
    },
  }),
});

function renderInspect(found: Inspection, view: View): string {
  const paint = colours(view);
  const stale = paint.yellow(staleMark(found));
  const notices = (found.notices ?? []).map((notice) => paint.dim(`· ${oneLine(translate(notice))}`));
  if (!found.is_parent) {
    const from = `${paint.dim(say('Document:'))} ${oneLine(found.parent_doc_title)}  ${paint.dim(found.parent_id)}${stale}`;
    const passage = `${head(found, paint)}\n${from}\n\n${printable(found.content).trimEnd()}`;
    return [passage, ...notices].join('\n\n');
  }
  const title = `${paint.bold(oneLine(found.title))}  ${paint.dim(oneLine(found.source_path))}${stale}`;
  const bodies = found.children.map(
    (chunk) => `${head(chunk, paint)}\n${printable(chunk.content).trimEnd()}`,
  );
  return [`${title}\n${plural(found.chunk_count, 'passage')}`, ...bodies, ...notices].join('\n\n');
}

function head(chunk: ChunkInspection, paint: Colours): string {
  const place = placeOf(chunk.citation.source_path, chunk.loc);
  const path = oneLine(titlePath(chunk.title_path)) || oneLine(chunk.title);
  return `${paint.cyan(path)}  ${paint.dim(`${place}  ${chunk.id}`)}`;
}

/** A passage as an agent reads it: enough to quote, to go on from, and to cite. */
type ShownPassage = Pick<
  ChunkInspection,
  'id' | 'title' | 'title_path' | 'chunk_index' | 'content' | 'start_position' | 'end_position' | 'loc'
>;

interface Inspected extends Notes {
  readonly is_parent: boolean;
  readonly parent_id: string;
  readonly parent_doc_title: string;
  readonly source_path: string;
  readonly chunk_count: number;
  readonly children: readonly ShownPassage[];
  readonly next: number | null;
}

const parentOf = (document: { id: string; title: string; source_path: string; chunk_count: number }) => ({
  parent_id: document.id,
  parent_doc_title: document.title,
  source_path: document.source_path,
  chunk_count: document.chunk_count,
});

type Notes = Pick<Inspection, 'stale' | 'gone' | 'notices'>;

const notesOf = ({ stale, gone, notices }: Inspection): Notes => ({
  ...(stale && { stale }),
  ...(gone && { gone }),
  ...(notices && { notices }),
});

const passageOf = (chunk: ShownPassage): ShownPassage => ({
  id: chunk.id,
  title: chunk.title,
  title_path: chunk.title_path,
  chunk_index: chunk.chunk_index,
  content: chunk.content,
  start_position: chunk.start_position,
  end_position: chunk.end_position,
  loc: chunk.loc,
});
