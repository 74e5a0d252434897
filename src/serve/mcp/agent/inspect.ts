import * as z from 'zod';
import type { Chunk } from '../../../model/chunk.js';
import { trueLoc } from '../../../model/line-marks.js';
import type { Loc } from '../../../model/section.js';
import { integerOr, text } from '../../fields.js';
import { loc } from '../../outputs/records.js';
import { placeOf } from '../../render/place.js';
import { agentTool, maxTokensField } from './tool.js';

/** A passage as an agent reads it: enough to quote, to go on from, and to cite. */
const passage = z.object({
  id: z.string(),
  title: z.string(),
  title_path: z.array(z.string()),
  chunk_index: z.number(),
  content: z.string(),
  start_position: z.number(),
  end_position: z.number(),
  loc,
});

const inspected = z.object({
  is_parent: z.boolean().describe('The id was a document’s'),
  parent_id: z.string().describe("The document's id"),
  parent_doc_title: z.string(),
  source_path: z.string(),
  chunk_count: z.number(),
  children: z
    .array(passage)
    .describe('In reading order: the passage (with its neighbours), or the document from `from` on'),
  next: z.number().nullable().describe('Give it as `from` to read on; null at the end of what was asked for'),
});

type Passage = Omit<z.infer<typeof passage>, 'loc'> & { readonly loc: Loc };
type Inspected = Omit<z.infer<typeof inspected>, 'children'> & { readonly children: readonly Passage[] };

export const inspectTool = agentTool({
  name: 'inspect',
  title: 'Read a passage or a document',
  description:
    'Read the full content behind an id from `scout`, `search_knowledge` or `list_documents`. A passage comes with its neighbours when you set `neighbours`; a document comes passage by passage from `from` on, as far as max_tokens reaches (`next` says where to go on).',
  access: 'read',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  input: {
    id: text('Of a passage or a document'),
    neighbours: integerOr(0, 'For a passage: how many before and after it to add', {
      minimum: 0,
      maximum: 10,
    }),
    from: integerOr(0, 'For a document: the first chunk_index to read', { minimum: 0 }),
    max_tokens: maxTokensField,
  },
  output: inspected,
  async run(library, { id, neighbours, from }): Promise<Inspected> {
    const found = await library.inspect(id);
    if (found.is_parent) {
      const children = found.children.filter(({ chunk_index }) => chunk_index >= from).map(passageOf);
      return { is_parent: true, ...parentOf(found), children, next: null };
    }
    const { parent_id, chunk_index } = found;
    const beside = await library.backend.adjacent(parent_id, chunk_index, neighbours, neighbours);
    const parent = await library.find(parent_id);
    const placed = beside.map((chunk) => ({ ...chunk, loc: trueLoc(chunk, parent.metadata.format) }));
    const children = [...placed, found].map(passageOf).sort((a, b) => a.chunk_index - b.chunk_index);
    return { is_parent: false, ...parentOf(parent), children, next: null };
  },
  text({ parent_doc_title, source_path, children, next }: Inspected) {
    const bodies = children.map((chunk) => {
      const where = chunk.title_path.join(' > ') || chunk.title;
      return `### ${where}\n${chunk.content.trim()}\n[${placeOf(source_path, chunk.loc)}] ${chunk.id}`;
    });
    const more = next === null ? [] : [`Note: more follows; read on with from: ${next}`];
    return [`## ${parent_doc_title} (${source_path})`, ...bodies, ...more].join('\n\n');
  },
  /** The end is left out: whoever reads goes on from there. */
  shrink(answer: Inspected) {
    const { children } = answer;
    if (children.length <= 1) return null;
    const keep = Math.max(1, children.length - Math.ceil(children.length / 8));
    return { ...answer, children: children.slice(0, keep), next: children[keep]?.chunk_index ?? null };
  },
});

const parentOf = (document: { id: string; title: string; source_path: string; chunk_count: number }) => ({
  parent_id: document.id,
  parent_doc_title: document.title,
  source_path: document.source_path,
  chunk_count: document.chunk_count,
});

const passageOf = (chunk: Omit<Passage, 'title_path'> & Pick<Chunk, 'title_path'>): Passage => ({
  id: chunk.id,
  title: chunk.title,
  title_path: [...chunk.title_path],
  chunk_index: chunk.chunk_index,
  content: chunk.content,
  start_position: chunk.start_position,
  end_position: chunk.end_position,
  loc: chunk.loc,
});
