import { BLOCK_TYPES } from '../../../model/tree.js';
import { integerOr, text } from '../../fields.js';
import { view } from './view.js';

const documentField = text("Its path, its id, or the id's beginning");
/** In characters: about what a reader's screen shows fifty times over. */
const LONGEST_PART = 200_000;

export const documentView = view({
  name: 'outline',
  summary: "A document's structure without its text: sections, blocks and passages as offsets",
  access: 'read',
  input: { document: documentField },
  output: ({ z, document, section, chunk }) =>
    z.object({
      document,
      state: z.enum(['same', 'changed', 'missing', 'unknown']),
      length: z.number(),
      sections: z.array(section.omit({ doc_id: true, parent_id: true, blocks: true, summary: true })),
      blocks: z.array(
        z.object({
          start: z.number(),
          end: z.number(),
          type: z.enum(BLOCK_TYPES),
          lang: z.string().optional(),
        }),
      ),
      chunks: z.array(
        chunk.pick({
          id: true,
          chunk_index: true,
          title: true,
          content_type: true,
          start_position: true,
          end_position: true,
          token_count: true,
          loc: true,
        }),
      ),
      pages: z.array(z.number()),
    }),
  handler: async (library, { document }) => {
    const { documentOutline } = await import('../../../engine/views/document-view.js');
    return documentOutline(library, document);
  },
});

export const textView = view({
  name: 'text',
  summary: "A part of a document's text",
  access: 'read',
  input: {
    document: documentField,
    from: integerOr(0, 'The first character', { minimum: 0 }),
    length: integerOr(20_000, 'How many characters', { minimum: 1, maximum: LONGEST_PART }),
  },
  output: ({ z }) => z.object({ from: z.number(), to: z.number(), text: z.string() }),
  handler: async (library, { document, from, length }) => {
    const { documentText } = await import('../../../engine/views/document-view.js');
    return documentText(library, { document, from, to: from + length });
  },
});

export const nodeView = view({
  name: 'node',
  summary: 'Every field of a passage or a section',
  access: 'read',
  input: { document: documentField, id: text('The id of the passage or section') },
  output: ({ z }) =>
    z.object({ kind: z.enum(['chunk', 'section']), fields: z.record(z.string(), z.unknown()) }),
  handler: async (library, input) => {
    const { nodeFields } = await import('../../../engine/views/document-view.js');
    return nodeFields(library, input);
  },
});

export const pdfPageView = view({
  name: 'pdf-page',
  summary: 'A page of a PDF as a picture, with the lines of a passage marked',
  access: 'read',
  input: {
    document: documentField,
    page: integerOr(1, 'Which page, from 1', { minimum: 1, maximum: 1_000_000 }),
    width: integerOr(900, 'In pixels', { minimum: 100, maximum: 2400 }),
    start: integerOr(0, 'Where the passage starts in the text', { minimum: 0 }),
    end: integerOr(0, 'Where it ends', { minimum: 0 }),
  },
  output: ({ z }) =>
    z.object({
      page: z.number(),
      page_count: z.number(),
      width: z.number(),
      height: z.number(),
      png: z.string().describe('Base64'),
      boxes: z.array(z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })),
    }),
  handler: async (library, input) => {
    const { pdfPage } = await import('../../../engine/views/pdf-page.js');
    return pdfPage(library, input);
  },
});
