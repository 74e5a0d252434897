import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CONTENT_TYPES } from '../model/chunk.js';
import { derivedId } from '../model/id.js';
import type { Backend } from './backend.js';
import type { LibraryFixture } from './backend.suite.js';
import type { Filter } from './filter.js';
import type { LexicalQuery } from './lexical.js';
import { memoryBackend } from './memory/memory.js';
import { type Sample, sampleWrite } from './sample.js';

export interface PropertyOptions {
  readonly runs: number;
  /** How many steps a sequence has at most. */
  readonly steps: number;
}

/** Random sequences of changes and questions: the driver and the plain model in memory must never differ. */
export function describeProperty(
  name: string,
  create: () => Promise<LibraryFixture>,
  { runs, steps }: PropertyOptions,
): void {
  describe(`${name}: the driver equals the model`, () => {
    it('after any sequence of add, replace, rename, remove, search and vectors', async () => {
      const sequence = fc.array(step, { maxLength: steps, size: 'max' });
      const property = fc.asyncProperty(sequence, async (sequenceOfSteps) => {
        const fixture = await create();
        const pair: Pair = { driver: await fixture.open(), model: memoryBackend(), fixture };
        try {
          for (const take of sequenceOfSteps) await take.run(pair);
          await compareAll(pair);
        } finally {
          await pair.driver.close();
          await fixture.dispose();
        }
      });
      await fc.assert(property, { numRuns: runs });
    });
  });
}

interface Pair {
  driver: Backend;
  readonly model: Backend;
  readonly fixture: LibraryFixture;
}

/** One step, printable for the counterexample. */
class Step {
  readonly text: string;
  readonly run: (pair: Pair) => Promise<void>;

  constructor(text: string, run: (pair: Pair) => Promise<void>) {
    this.text = text;
    this.run = run;
  }

  toString(): string {
    return this.text;
  }
}

const VOCABULARY = [
  'apple',
  'pear',
  'ap',
  'apples',
  'nginx',
  '配置',
  '配',
  '😀',
  'ｚ',
  'a\u0000b',
  "o'neil",
  '%_',
];
const FINGERPRINTS = ['model-a', 'model-b'];
const DIMENSIONS = 5;

const word = fc.constantFrom(...VOCABULARY);
const body = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
const part = fc.record({
  heading: fc.constantFrom('One', 'Two apple', '配置'),
  body,
  types: fc.shuffledSubarray([...CONTENT_TYPES], { minLength: 1 }),
});
const slot = fc.integer({ min: 0, max: 5 });
const idOf = (n: number): string => derivedId('property', String(n));
const sourceOf = (n: number): string => `file:dir${n % 2}/${n}.md`;

const sample: fc.Arbitrary<Sample> = fc.record({
  id: slot.map(idOf),
  source: slot.map(sourceOf),
  title: fc.constantFrom('apple book', '手册', 'Z'),
  parts: fc.array(part, { maxLength: 5 }),
  metadata: fc.record({
    format: fc.constantFrom('markdown', 'pdf'),
    tags: fc.subarray(['x', 'y']),
    collection: fc.constantFrom('main', 'other'),
  }),
  updated_at: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'),
});

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 4 });
const filter: fc.Arbitrary<Filter> = fc
  .record({
    doc_ids: optional(fc.subarray([0, 1, 2, 3, 4, 5].map(idOf))),
    path: optional(fc.constantFrom('dir0', 'dir1/1.md', '*.md', 'dir?/3*', 'none')),
    file_types: optional(fc.subarray(['markdown', 'pdf'])),
    content_types: optional(fc.subarray([...CONTENT_TYPES])),
    tags: optional(fc.subarray(['x', 'y'])),
    collections: optional(fc.constant(['main'])),
    updated_after: optional(fc.constant('2026-01-15')),
    updated_before: optional(fc.constant('2026-01-15')),
  })
  .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));

const limit = fc.constantFrom(0, 1, 3, 10, Number.POSITIVE_INFINITY);
const query: fc.Arbitrary<LexicalQuery> = fc.record(
  {
    terms: fc.array(fc.record({ term: word, weight: fc.constantFrom(0, 0.5, 1, 2) }), { maxLength: 4 }),
    k: limit,
    kind: fc.constantFrom('chunk', 'document'),
    scorer: fc.constantFrom('bm25', 'tfidf'),
    title_weight: fc.constantFrom(0, 1, 2.5),
    required: fc.subarray(VOCABULARY, { maxLength: 2 }),
    any: fc.subarray(VOCABULARY, { maxLength: 2 }),
    filter,
  },
  { requiredKeys: ['terms', 'k', 'kind', 'scorer'] },
);

const change = fc.record(
  {
    put: fc.array(sample, { maxLength: 2 }),
    remove: fc.array(slot.map(idOf), { maxLength: 1 }),
    rename: fc
      .array(fc.tuple(slot, slot), { maxLength: 2 })
      .map((pairs) =>
        pairs.map(([n, to]) => ({ id: idOf(n), source: sourceOf(to), source_path: `dir${to % 2}/${to}.md` })),
      ),
    records: fc.array(
      fc.record({
        kind: fc.constantFrom('tool', 'key'),
        id: fc.constantFrom('a', 'b'),
        value: fc.constantFrom(null, 1, { x: [true] }),
      }),
      { maxLength: 2 },
    ),
    touch: fc.array(
      fc.record({
        id: slot.map(idOf),
        updated_at: fc.constant('2026-01-20T00:00:00.000Z'),
        metadata: fc.constant({ format: 'pdf', tags: ['y'] }),
      }),
      { maxLength: 1 },
    ),
  },
  { requiredKeys: [] },
);

const commit = change.map(
  (fields) =>
    new Step(`commit(${JSON.stringify(fields)})`, async ({ driver, model }) => {
      const written = { ...fields, put: (fields.put ?? []).map(sampleWrite) };
      const expected = await outcome(() => model.commit(written));
      const actual = await outcome(() => driver.commit(written));
      expect(actual).toEqual(expected);
    }),
);

/** A change's report without the generation, which each driver counts as it likes, or the error's code. */
async function outcome(run: () => Promise<{ kept: number; added: number; removed: number }>) {
  try {
    const { kept, added, removed } = await run();
    return { kept, added, removed };
  } catch (error) {
    return { code: (error as { code?: string }).code };
  }
}

const search = query.map(
  (asked) =>
    new Step(`match(${JSON.stringify(asked)})`, async ({ driver, model }) => {
      const all = await model.words.match({ ...asked, k: Number.POSITIVE_INFINITY });
      sameMatches(await driver.words.match(asked), all, asked.k);
    }),
);

const near = fc.tuple(fc.integer({ min: 0, max: 99 }), limit, fc.option(filter, { nil: undefined })).map(
  ([seed, k, wanted]) =>
    new Step(`near(${seed}, ${k}, ${JSON.stringify(wanted)})`, async ({ driver, model }) => {
      const asked = {
        vector: vectorOf(`query ${seed}`),
        ...(wanted === undefined ? {} : { filter: wanted }),
      };
      const all = await model.vectors.near({ ...asked, k: Number.POSITIVE_INFINITY });
      sameMatches(await driver.vectors.near({ ...asked, k }), all, k);
    }),
);

const embed = fc.tuple(fc.constantFrom(...FINGERPRINTS), fc.integer({ min: 1, max: 8 })).map(
  ([fingerprint, count]) =>
    new Step(`embed(${fingerprint}, ${count})`, async ({ driver, model }) => {
      const texts = await driver.vectors.pending(fingerprint, count);
      const wanted = await model.vectors.pending(fingerprint, Number.POSITIVE_INFINITY);
      expect(texts).toHaveLength(Math.min(count, wanted.length));
      for (const text of texts) expect(wanted).toContainEqual(text);
      const keys = [...texts.map(({ embed_key }) => embed_key), 'a key no chunk has'];
      // Some in parts that all are the whole's own vector: scores by parts or by the whole must be the same then.
      const entries = keys.map((embed_key, index) => {
        const vector = vectorOf(embed_key);
        return index % 2 === 0 ? { embed_key, vector } : { embed_key, vector, parts: [vector, vector] };
      });
      const batch = { fingerprint, dimensions: DIMENSIONS, entries };
      expect(await driver.vectors.put(batch)).toEqual(await model.vectors.put(batch));
    }),
);

const activate = fc.constantFrom(...FINGERPRINTS).map(
  (fingerprint) =>
    new Step(`activate(${fingerprint})`, async ({ driver, model }) => {
      await driver.vectors.activate(fingerprint, DIMENSIONS);
      await model.vectors.activate(fingerprint, DIMENSIONS);
    }),
);

const tidy = fc.constant(new Step('tidy()', ({ driver }) => driver.tidy()));

const reopen = fc.constant(
  new Step('reopen()', async (pair) => {
    await pair.driver.close();
    pair.driver = await pair.fixture.open();
  }),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: commit, weight: 6 },
  { arbitrary: search, weight: 4 },
  { arbitrary: near, weight: 1 },
  { arbitrary: embed, weight: 2 },
  { arbitrary: activate, weight: 1 },
  { arbitrary: tidy, weight: 1 },
  { arbitrary: reopen, weight: 1 },
);

/** `all` is the model's whole ranking. Ids may trade places only where scores are the same to 1e-6. */
function sameMatches(
  actual: readonly { id: string; score: number }[],
  all: readonly { id: string; score: number }[],
  k: number,
): void {
  const scores = new Map(all.map(({ id, score }) => [id, score]));
  expect(actual).toHaveLength(Math.min(k, all.length));
  expect(new Set(actual.map(({ id }) => id)).size).toBe(actual.length);
  for (const [i, { id, score }] of actual.entries()) {
    expect(Math.abs(score - (scores.get(id) ?? Number.NaN))).toBeLessThan(1e-6);
    expect(Math.abs(score - all[i]!.score)).toBeLessThan(1e-6);
  }
}

async function compareAll({ driver, model }: Pair): Promise<void> {
  const documents = await model.documents();
  expect(await driver.documents()).toEqual(documents);
  expect(await driver.counts()).toEqual(await model.counts());
  for (const { id, source } of documents) {
    expect(await driver.documentBySource(source)).toEqual(await model.documentBySource(source));
    const chunks = await model.chunksOf(id);
    expect(await driver.chunksOf(id)).toEqual(chunks);
    expect(await driver.chunksById(chunks.map((chunk) => chunk.id))).toEqual(chunks);
    expect(await driver.sections(id)).toEqual(await model.sections(id));
    expect(await driver.content(id)).toEqual(await model.content(id));
    const query = { vector: vectorOf('any query') };
    expect(
      await driver.vectors.scores(
        chunks.map((chunk) => chunk.id),
        query,
      ),
    ).toEqual(
      await model.vectors.scores(
        chunks.map((chunk) => chunk.id),
        query,
      ),
    );
  }
  for (const kind of ['tool', 'key']) expect(await driver.records(kind)).toEqual(await model.records(kind));
  expect(await driver.words.frequencies(VOCABULARY)).toEqual(await model.words.frequencies(VOCABULARY));
  for (const prefix of ['', 'ap', '配', '😀']) {
    expect(await driver.words.termsWithPrefix(prefix, 99)).toEqual(
      await model.words.termsWithPrefix(prefix, 99),
    );
  }
  expect(await driver.vectors.state()).toEqual(await model.vectors.state());
  for (const fingerprint of FINGERPRINTS) {
    const keys = async (backend: Backend) =>
      (await backend.vectors.pending(fingerprint, 999)).map((p) => p.embed_key);
    expect((await keys(driver)).sort()).toEqual((await keys(model)).sort());
  }
  expect(await driver.check()).toEqual([]);
}

/** A unit vector that depends on the key alone. */
function vectorOf(key: string): Float32Array {
  const bytes = Buffer.from(derivedId(key).replaceAll('-', ''), 'hex');
  const raw = Array.from({ length: DIMENSIONS }, (_, i) => bytes[i]! / 127.5 - 1);
  const length = Math.hypot(...raw) || 1;
  return Float32Array.from(raw, (value) => value / length);
}
