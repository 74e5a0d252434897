import { expect, it } from 'vitest';
import { memoryBackend } from '../../../store/memory/memory.js';
import { packedHere, packRecords } from '../../../store/records.js';
import { sampleWrite } from '../../../store/sample.js';
import { temporaryLibrary } from '../library.suite.js';
import { packDocument } from './packed-document.js';

const write = (n: number, body = 'common') =>
  sampleWrite({
    source: `file:${n}`,
    title: `T${n}`,
    parts: [
      { heading: 'One', body: `word${n} ${body} 中文 \u{1F600}` },
      { heading: 'Two', body: `zero\u0000byte ${body} ${body}`, type: 'code' },
    ],
  });
const query = { terms: [{ term: 'common', weight: 1 }], k: 100, kind: 'chunk', scorer: 'bm25' } as const;

it('a document packed elsewhere is kept and found as if it had been put', async () => {
  const [packed, plain] = await Promise.all([temporaryLibrary().open(), temporaryLibrary().open()]);
  for (const writes of [
    [write(1), write(2)],
    [write(1, 'common again'), write(3)],
  ]) {
    // As it arrives from another process.
    const reports = [
      await packed.commit({
        put: structuredClone(await Promise.all(writes.map((one) => packedHere(one, packDocument)))),
      }),
      await plain.commit({ put: writes }),
    ];
    expect(reports[0]).toEqual(reports[1]);
  }
  for (const { id } of await plain.documents()) {
    expect(await packed.document(id)).toEqual(await plain.document(id));
    expect(await packed.chunksOf(id)).toEqual(await plain.chunksOf(id));
    expect(await packed.sections(id)).toEqual(await plain.sections(id));
    expect(await packed.content(id)).toEqual(await plain.content(id));
  }
  expect(await packed.words.match(query)).toEqual(await plain.words.match(query));
  expect(await packed.check()).toEqual([]);
});

it('a large document comes in parts, and is the same', async () => {
  const parts = Array.from({ length: 300 }, (_, at) => ({
    heading: `H${at}`,
    body: `common w${at} `.repeat(300),
  }));
  const large = sampleWrite({ source: 'file:large', title: 'Large', parts });
  const write = await packedHere(large, packDocument);
  expect(write.parts.length).toBeGreaterThan(2);
  const [packed, plain] = await Promise.all([temporaryLibrary().open(), temporaryLibrary().open()]);
  await plain.commit({ put: [large] });
  for (const [kept, added] of [
    [0, 300],
    [300, 0],
  ]) {
    expect(await packed.commit({ put: [write] })).toMatchObject({ kept, added, removed: 0 });
  }
  expect(await packed.chunksOf(large.document.id)).toEqual(await plain.chunksOf(large.document.id));
  expect(await packed.words.match(query)).toEqual(await plain.words.match(query));
  expect(await packed.check()).toEqual([]);
});

it('a document that breaks the model is refused when it is packed, and a packed one by other stores', async () => {
  const whole = write(1);
  const broken = { ...whole, document: { ...whole.document, chunk_count: 7 } };
  await expect(packedHere(broken, packDocument)).rejects.toThrow(/chunk_count of 7/);
  const { terms, body, title, ...lengths } = whole.words;
  const words = {
    ...lengths,
    terms: [...terms, terms[0]!],
    body: [...body, 1],
    title: [...title, 1],
  };
  await expect(packedHere({ ...whole, words }, packDocument)).rejects.toThrow(/list a term twice/);
  await expect(memoryBackend().commit({ put: [await packedHere(whole, packDocument)] })).rejects.toThrow(
    /packed for sqlite/,
  );
  const library = await temporaryLibrary().open();
  const elsewhere = await packedHere(whole, packRecords);
  await expect(library.commit({ put: [elsewhere] })).rejects.toThrow(/packed for records/);
  const twice = [await packedHere(whole, packDocument), await packedHere(whole, packDocument)];
  await expect(library.commit({ put: twice })).rejects.toThrow(/stands twice/);
});
