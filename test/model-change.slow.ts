import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Library, openLibrary } from 'strata-kb';
import { describe, expect, it } from 'vitest';
import { partsOf } from '../dist/engine/open-library.js';
import { dimensionsOf, embeddingService, vectorOf } from './embedding-service.js';
import { folder, guide } from './strata.js';
import { times } from './torture/torture.js';

const KILLS = times('STRATA_KILLS', 25);
const MODELS = ['small-24', 'large-40'] as const;
/** A batch being embedded and one being stored are all that a kill can make necessary again. */
const LOST_A_KILL = 2 * 256;

const TOPICS = Array.from({ length: 400 }, (_, at) => `subject${at}`);
const files = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [
    `docs/${at}.md`,
    guide(`Volume ${at}`, ...TOPICS.slice(at * 10, at * 10 + 10)),
  ]),
);

/**
 * The model of a filled library is changed, back and forth, and whoever changes it is killed again and again at a random
 * moment. Somebody searches all the while. Whatever is found afterwards must be the old model's vectors, whole, or the
 * new one's, whole.
 */
describe.each(['sqlite', 'json'])('kill -9 in the middle of a change of model, kept by %s', (store) => {
  it(`B4 after ${KILLS} kills nothing is lost or mixed, searches have gone on, and the change ends`, async () => {
    const service = await embeddingService();
    const here = folder(files);
    // The user who agreed to the service on the command line is the one who opens the library here.
    const env = { ...service.env, OPENAI_API_KEY: 'test', STRATA_CONFIG: join(here.path, '../config') };
    Object.assign(process.env, env);
    const add = ['add', 'docs', '--store', store, '--embedder', `openai:${MODELS[0]}`];
    expect(await here.run(add, { env })).toMatchObject({ code: 0 });
    // Told no model: it must follow whatever the library is changed to.
    const open = (): Promise<Library> => openLibrary({ library: join(here.path, '.strata'), cwd: here.path });
    const watcher = await open();
    const { chunks } = await partsOf(watcher).backend.vectors.state();
    expect(chunks).toBeGreaterThanOrEqual(TOPICS.length);
    const reader = searchAllTheWhile(watcher);

    let target: (typeof MODELS)[number] = MODELS[1];
    let made = 0;
    let changes = 0;
    service.delay = 160;
    service.embedded.length = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const onStart = (child: ChildProcess): void =>
        void setTimeout(() => child.kill('SIGKILL'), 150 + Math.random() * 900);
      await here.run(['embed', '--embedder', `openai:${target}`, '--quiet'], { env, onStart });

      const library = await open();
      const { active, dimensions, embedded } = await partsOf(library).backend.vectors.state();
      const model = modelOf(active);
      const where = `kill ${kill}: ${JSON.stringify(embedded)}`;
      expect(MODELS, where).toContain(model);
      expect(dimensions, where).toBe(dimensionsOf(model));
      expect(embedded[active!], where).toBe(chunks);
      await expectWholeVectors(library, model);
      await expectAnswers(library);
      expect((await library.check()).findings, where).toEqual([]);
      if (model === target) {
        // It had switched before it was killed (or was done): the old ones are gone, the next change may begin.
        expect(Object.keys(embedded), where).toEqual([active]);
        changes++;
        made = 0;
        target = MODELS.find((one) => one !== target)!;
      } else {
        const other = Object.keys(embedded).find((fingerprint) => modelOf(fingerprint) === target);
        const now = other === undefined ? 0 : embedded[other]!;
        expect(now, where).toBeGreaterThanOrEqual(made);
        made = now;
      }
      await library.close();
    }

    service.delay = 0;
    expect(await here.run(['embed', '--embedder', `openai:${target}`], { env })).toMatchObject({ code: 0 });
    const { active, embedded } = await partsOf(watcher).backend.vectors.state();
    expect(modelOf(active)).toBe(target);
    expect(embedded).toEqual({ [active!]: chunks });
    const searches = await reader.stop();
    expect(searches).toBeGreaterThan(KILLS);
    await expectAnswers(watcher);
    await watcher.close();
    expect(await here.run(['doctor'], { env })).toMatchObject({ code: 0, stdout: 'All is well.\n' });
    const passages = service.embedded.filter(({ text }) => text.includes('\n'));
    expect(passages.length).toBeLessThanOrEqual((changes + 1) * chunks + KILLS * LOST_A_KILL);
    console.log(
      `${store}: ${KILLS} kills, ${changes + 1} changes of model, ${passages.length} texts, ${searches} searches`,
    );
  });
});

const modelOf = (fingerprint: string | null): string =>
  MODELS.find((model) => fingerprint?.includes(model)) ?? `${fingerprint}`;

/** Every passage's own vector is the one this model makes of it, but for quantising. */
async function expectWholeVectors(library: Library, model: string): Promise<void> {
  const { backend } = partsOf(library);
  const documents = await backend.documents({});
  for (const { id } of documents.slice(0, 5)) {
    const chunks = await backend.chunksOf(id);
    for (const chunk of chunks) {
      const vector = unit(vectorOf(chunk.content, dimensionsOf(model)));
      const scores = await backend.vectors.scores([chunk.id], { vector });
      expect(scores.get(chunk.id), chunk.content).toBeGreaterThan(0.9);
    }
  }
}

const unit = (values: readonly number[]): Float32Array =>
  Float32Array.from(values, (value) => value / Math.hypot(...values));

/** By words, by meaning and by both: in the mode that was asked for, and with the passage that answers. */
async function expectAnswers(library: Library): Promise<void> {
  const topic = TOPICS[Math.floor(Math.random() * TOPICS.length)]!;
  const query = `Point 1 about ${topic}: what it is, when it helps, and how people use ${topic} in practice.`;
  for (const mode of ['keyword', 'vector', 'hybrid'] as const) {
    const { results, mode: used, notices } = await library.search(query, { mode });
    const found = results.flatMap(({ matched_chunks }) => matched_chunks.map(({ content }) => content));
    expect({ mode: used, notices }, `${mode}: ${topic}`).toEqual({ mode, notices: [] });
    expect(
      found.slice(0, 10).some((content) => content.includes(topic)),
      `${mode}: ${topic}`,
    ).toBe(true);
  }
}

/** Searches until it is stopped; what went wrong comes out then. */
function searchAllTheWhile(library: Library): { stop(): Promise<number> } {
  let going = true;
  const running = (async () => {
    let count = 0;
    for (; going; count++) {
      await expectAnswers(library);
      await sleep(20);
    }
    return count;
  })();
  running.catch(() => {});
  return {
    stop: () => {
      going = false;
      return running;
    },
  };
}
