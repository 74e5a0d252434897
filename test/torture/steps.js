import { createHash } from 'node:crypto';

/**
 * What writers under torture do: step n of a seed is the same in every process, so whoever looks at a library
 * afterwards knows what it must hold. Plain JavaScript on the built program: the writers are killed, not mocked.
 */
const dist = (name) => import(new URL(`../../dist/${name}`, import.meta.url).href);

/** `own`: what the steps below have written; else words are the engine's affair. */
export async function openStore(driver, folder, { patience, own = true } = {}) {
  if (driver === 'memory') return (await dist('store/memory/memory.js')).memoryBackend();
  const reindex = own ? { reindex: (await dist('store/sample.js')).sampleReindex } : {};
  if (driver === 'json') {
    const options = { path: folder, ...reindex, ...(patience !== undefined && { patience }) };
    return (await dist('drivers/json/backend.js')).jsonBackend(options);
  }
  const options = {
    path: `${folder}/library.db`,
    ...reindex,
    ...(patience !== undefined && { patience_ms: patience }),
  };
  return (await dist('drivers/sqlite/backend.js')).sqliteBackend(options);
}

/** Numbers from 0 to below, the same for the same words. */
export function chance(...words) {
  let counter = 0;
  return (below) => {
    const hash = createHash('sha256')
      .update(`${words.join('/')}/${counter++}`)
      .digest();
    return hash.readUInt32LE(0) % below;
  };
}

const SLOTS = 16;
const VOCABULARY = Array.from({ length: 400 }, (_, i) => `word${i}`);
const DIMENSIONS = 8;

/** A document of some parts; `mark<slot>x<n>` stands in each of them, and in no other version of it. */
export function documentOf(sampleWrite, slot, n, pick, longest = 12) {
  const parts = Array.from({ length: 1 + pick(longest) }, (_, part) => ({
    heading: `Part ${part}`,
    body: `${markOf(slot, n)} ${Array.from({ length: 20 + pick(60) }, () => VOCABULARY[pick(400)]).join(' ')} 配置 ${part}`,
  }));
  return sampleWrite({ source: `file:doc-${slot}.md`, title: `Document ${slot}`, parts });
}

export const markOf = (slot, n) => `mark${slot}x${n}`;

/** Step n: mostly adding and replacing, some removing, renaming, vectors, records, merging. */
export async function take(backend, seed, n) {
  const { sampleWrite } = await dist('store/sample.js');
  const pick = chance(seed, n);
  const kind = pick(100);
  const slot = pick(SLOTS);
  if (kind < 55) {
    const write = documentOf(sampleWrite, slot, n, pick);
    await backend.commit({ put: [write], records: [{ kind: 'torture', id: 'last', value: n }] });
  } else if (kind < 65) {
    // Several at once: all of them or none.
    const slots = [...new Set([slot, pick(SLOTS), pick(SLOTS)])];
    await backend.commit({ put: slots.map((each) => documentOf(sampleWrite, each, n, pick)) });
  } else if (kind < 78) {
    const found = await backend.documentBySource(`file:doc-${slot}.md`);
    await backend.commit({
      remove: found === null ? [] : [found.id],
      records: [{ kind: 'torture', id: 'last', value: n }],
    });
  } else if (kind < 84) {
    const found = await backend.documentBySource(`file:doc-${slot}.md`);
    const rename =
      found === null ? [] : [{ id: found.id, source: `file:doc-${slot}.md`, source_path: `renamed-${n}.md` }];
    await backend.commit({ rename });
  } else if (kind < 94) {
    const pending = await backend.vectors.pending('model', 1000);
    const keys = pending
      .map(({ embed_key }) => embed_key)
      .sort()
      .slice(0, 10);
    const entries = keys.map((embed_key) => ({ embed_key, vector: vectorOf(embed_key) }));
    await backend.vectors.put({ fingerprint: 'model', dimensions: DIMENSIONS, entries });
  } else await backend.tidy();
}

export function vectorOf(key) {
  const bytes = createHash('sha256').update(key).digest();
  return Float32Array.from({ length: DIMENSIONS }, (_, i) => bytes[i] / 127.5 - 1);
}

/** Everything a library holds, as text: two with the same one hold the same. */
export async function contentsOf(backend) {
  const lines = [];
  for (const document of await backend.documents()) {
    lines.push(JSON.stringify(document));
    for (const chunk of await backend.chunksOf(document.id)) lines.push(JSON.stringify(chunk));
    lines.push(JSON.stringify(await backend.sections(document.id)));
    lines.push(JSON.stringify(await backend.content(document.id)));
  }
  lines.push(JSON.stringify(await backend.records('torture')));
  const { active, embedded } = await backend.vectors.state();
  lines.push(JSON.stringify({ active, embedded }));
  const { units, df } = await backend.words.frequencies(VOCABULARY);
  lines.push(JSON.stringify({ units, df }));
  return sortedKeys(lines.join('\n'));
}

/** Drivers may give fields in another order. */
const sortedKeys = (text) =>
  text
    .split('\n')
    .map((line) =>
      JSON.stringify(JSON.parse(line), (_, value) =>
        value !== null && typeof value === 'object' && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
          : value,
      ),
    )
    .join('\n');

/** What does not agree with what, one line each: list, inspect, search and the store's own check. */
export async function disagreements(backend) {
  const wrong = [];
  const documents = await backend.documents();
  const counts = await backend.counts();
  if (counts.documents !== documents.length)
    wrong.push(`${counts.documents} documents counted, ${documents.length} listed`);
  let chunks = 0;
  const { units } = await backend.words.frequencies([]);
  for (const { id, chunk_count, source } of documents) {
    const own = await backend.chunksOf(id);
    chunks += own.length;
    if (own.length !== chunk_count) wrong.push(`${source}: ${own.length} of ${chunk_count} chunks`);
    const mark = /mark\d+x\d+/.exec(own[0]?.content ?? '')?.[0];
    if (mark === undefined) continue;
    if (own.some(({ content }) => !content.includes(mark))) wrong.push(`${source}: chunks of two versions`);
    const found = await backend.words.match({
      terms: [{ term: mark, weight: 1 }],
      k: Infinity,
      kind: 'chunk',
      scorer: 'bm25',
    });
    const ids = new Set(found.map((match) => match.id));
    if (ids.size !== own.length || own.some((chunk) => !ids.has(chunk.id))) {
      wrong.push(`${source}: search finds ${ids.size} of ${own.length} chunks`);
    }
  }
  if (counts.chunks !== chunks) wrong.push(`${counts.chunks} chunks counted, ${chunks} listed`);
  if (units !== documents.length + chunks)
    wrong.push(`${units} units indexed, ${documents.length + chunks} there`);
  wrong.push(...(await backend.check()).map(({ area, message }) => `${area}: ${message}`));
  return wrong;
}
