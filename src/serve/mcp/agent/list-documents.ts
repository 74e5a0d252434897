import * as z from 'zod';
import { integerOr, optionalText } from '../../fields.js';
import { filterFields, filterOf } from '../../operations/filters.js';
import { document } from '../../outputs/records.js';
import { type LeanDocument, leanDocument } from './lean.js';
import { agentTool, maxTokensField } from './tool.js';

interface Page {
  readonly documents: readonly LeanDocument[];
  readonly next: string | null;
}

export const listDocuments = agentTool({
  name: 'list_documents',
  title: 'List the documents',
  description:
    'List the documents of the knowledge base page by page, with id, title, path and a short summary. Use it to learn what the knowledge base covers or to find a document by its path; to find content, use `search_knowledge`.',
  access: 'read',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  input: {
    limit: integerOr(20, 'Documents a page', { minimum: 1, maximum: 200 }),
    after: optionalText("The last answer's `next`, for the page after it"),
    ...filterFields,
    max_tokens: maxTokensField,
  },
  output: z.object({
    documents: z.array(document.omit({ hash: true })),
    next: z.string().nullable().describe('Give it as `after` for the next page; null at the end'),
  }),
  async run(library, { limit, after, max_tokens: _, ...rest }): Promise<Page> {
    const page = await library.list({ limit, after, filter: filterOf(rest, library) });
    return { ...page, documents: page.documents.map(leanDocument) };
  },
  text({ documents, next }: Page) {
    const lines = documents.map(
      (document) =>
        `${document.title} (${document.source_path}, ${document.chunk_count} passages)\nID: ${document.id}`,
    );
    if (lines.length === 0) lines.push('No documents.');
    return [...lines, ...(next === null ? [] : [`Note: more follow; go on with after: ${next}`])].join('\n');
  },
  shrink({ documents }: Page) {
    if (documents.length <= 1) return null;
    const kept = documents.slice(0, -Math.ceil(documents.length / 8));
    return { documents: kept, next: kept.at(-1)!.source };
  },
});
