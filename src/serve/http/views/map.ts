import type { Library } from '../../../engine/library.js';
import type { MapMaker } from '../../../engine/map/library-map.js';
import { StrataError } from '../../../model/errors.js';
import { integerOr, texts } from '../../fields.js';
import { view } from './view.js';

const makers = new WeakMap<Library, MapMaker>();

async function makerOf(library: Library): Promise<MapMaker> {
  const known = makers.get(library);
  if (known !== undefined) return known;
  const { MapMaker } = await import('../../../engine/map/library-map.js');
  const maker = makers.get(library) ?? new MapMaker(library);
  makers.set(library, maker);
  return maker;
}

export const mapView = view({
  name: 'map',
  summary: 'The passages as points of a plane, near in meaning near each other',
  description:
    'Made in the background when it is first asked for, and again when the library has changed: ask again until `state` is `ready`.',
  access: 'read',
  input: {},
  output: ({ z }) =>
    z.union([
      z.object({ state: z.enum(['making', 'empty']), done: z.number(), total: z.number() }),
      z.object({
        state: z.literal('ready'),
        generation: z.number(),
        count: z.number(),
        passages: z.number(),
        points: z.string().describe('Base64 of pairs of 16-bit numbers, little-endian'),
        document_of: z.string().describe('Base64 of 32-bit numbers: the place in `documents`'),
        documents: z.array(
          z.object({ id: z.string(), title: z.string(), folder: z.string(), format: z.string() }),
        ),
      }),
    ]),
  handler: async (library) => (await makerOf(library)).look(),
});

export const pointView = view({
  name: 'map-point',
  summary: 'Which passage a point of the map is',
  access: 'read',
  input: { index: integerOr(0, 'Its place among the points', { minimum: 0 }) },
  output: ({ z }) =>
    z.object({
      id: z.string(),
      doc_id: z.string(),
      title: z.string(),
      title_path: z.array(z.string()),
      summary: z.string(),
      start_position: z.number(),
      end_position: z.number(),
    }),
  handler: async (library, { index }) => {
    const chunk = await (await makerOf(library)).chunkAt(index);
    if (chunk === null)
      throw new StrataError('NOT_FOUND', `no passage at point ${index}: ask for the map again`);
    const { doc_id, parent_doc_title, title_path, summary, start_position, end_position } = chunk;
    return {
      id: chunk.id,
      doc_id,
      title: parent_doc_title,
      title_path,
      summary,
      start_position,
      end_position,
    };
  },
});

export const passagesOnMapView = view({
  name: 'map-find',
  summary: 'Where on the map these passages are',
  access: 'read',
  input: { ids: texts("Passages' ids", { longest: 100 }) },
  output: ({ z }) => z.object({ found: z.array(z.object({ id: z.string(), index: z.number() })) }),
  handler: async (library, { ids }) => ({ found: (await makerOf(library)).indexOf(ids) }),
});
