import { filterField, filterOf } from '../../fields/filters.js';
import { integerOr, optionalText, texts } from '../../fields.js';
import type { Schemas } from '../../schemas.js';
import { view } from './view.js';

const counts = ({ z }: Schemas) =>
  z.array(z.object({ name: z.string(), documents: z.number(), chunks: z.number() }));

export const overviewView = view({
  name: 'overview',
  summary: 'What the library holds by folder, format and collection, and how long its passages are',
  access: 'read',
  input: {},
  output: (schemas) =>
    schemas.z.object({
      generation: schemas.z.number(),
      folders: counts(schemas),
      formats: counts(schemas),
      collections: counts(schemas),
      lengths: schemas.z.array(schemas.z.object({ from: schemas.z.number(), count: schemas.z.number() })),
      failures: schemas.z.array(
        schemas.z.object({ source_path: schemas.z.string(), reason: schemas.z.string() }),
      ),
    }),
  handler: async (library) => {
    const { libraryOverview } = await import('../../../engine/views/overview.js');
    return libraryOverview(library);
  },
});

export const documentsView = view({
  name: 'documents',
  summary: 'Documents with what became of their files, a page at a time',
  access: 'read',
  input: {
    limit: integerOr(50, 'Documents at most', { minimum: 1, maximum: 500 }),
    after: optionalText("The last answer's `next`"),
    filter: filterField,
  },
  output: ({ z }) =>
    z.object({
      documents: z.array(
        z.object({
          id: z.string(),
          title: z.string(),
          source_path: z.string(),
          format: z.string(),
          collection: z.string().optional(),
          size: z.number().optional(),
          updated_at: z.string(),
          chunk_count: z.number(),
          state: z.enum(['same', 'changed', 'missing', 'unknown']),
          pending: z.boolean(),
        }),
      ),
      next: z.string().nullable(),
    }),
  handler: async (library, { limit, after, filter }) => {
    const { listedDocuments } = await import('../../../engine/views/overview.js');
    return listedDocuments(library, { limit, after, filter: filterOf(filter, library) });
  },
});

export const readAgainView = view({
  name: 'read-again',
  summary: 'Read the files of these documents again',
  access: 'write',
  input: { documents: texts('Ids or paths') },
  output: ({ z }) =>
    z.object({ added: z.number(), changed: z.number(), unchanged: z.number(), failed: z.number() }).loose(),
  handler: async (library, { documents }, { signal, progress, embedBehind }) => {
    const found = await Promise.all(documents.map((target) => library.find(target)));
    const targets = found.map(({ source_path }) => source_path);
    const report = await library.add(targets, {
      cwd: library.root,
      force: true,
      embed: false,
      signal,
      onProgress: progress,
    });
    embedBehind(library);
    return report;
  },
});
