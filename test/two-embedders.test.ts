import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { embeddingService } from './embedding-service.js';
import { type Folder, folder, guide, type Run } from './strata.js';

const WAITING = 'Another process is making the vectors of this library; waiting for it.';
const EMBEDDER = ['--embedder', 'openai:small-24'];
/** Some 300 passages of their own words. */
const documents = (from = 0, count = 30): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `docs/${from + at}.md`,
      guide(
        `Volume ${from + at}`,
        ...Array.from({ length: 10 }, (_, topic) => `subject${from + at}x${topic}`),
      ),
    ]),
  );

const pendingOf = async (here: Folder, env: Readonly<Record<string, string>>): Promise<number> =>
  (await here.run(['status', '--json'], { env })).json<{ vectors: { pending: number } }>().vectors.pending;

const twice = (texts: readonly string[]): string[] => texts.filter((text, at) => texts.indexOf(text) !== at);

describe.each(['sqlite', 'json'])('two processes make the vectors of one library, kept by %s', (store) => {
  it('S4.4 one does it while the other waits: no text is embedded twice', async () => {
    const service = await embeddingService();
    const { env } = service;
    const here = folder(documents());
    expect(await here.run(['add', 'docs', '--no-embed', '--store', store], { env })).toMatchObject({
      code: 0,
    });
    service.delay = 150;
    const runs = await Promise.all([
      here.run(['embed', ...EMBEDDER, '--json'], { env }),
      here.run(['embed', ...EMBEDDER, '--json'], { env }),
      sleep(500).then(() => here.run(['embed', ...EMBEDDER, '--json'], { env })),
    ]);
    const reports = runs.map((run) => run.json<{ embedded: number; remaining: number }>());
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(reports.map(({ remaining }) => remaining)).toEqual([0, 0, 0]);
    expect(service.embedded.length).toBeGreaterThan(250);
    expect(twice(service.embedded.map(({ text }) => text))).toEqual([]);
    expect(reports.map(({ embedded }) => embedded).sort((a, b) => a - b)).toEqual([
      0,
      0,
      service.embedded.length,
    ]);
  });

  it('B2 the one that waits goes on when the other is killed', async () => {
    const service = await embeddingService();
    const { env } = service;
    const here = folder(documents());
    await here.run(['add', 'docs', '--no-embed', '--store', store], { env });
    service.delay = 1_500;
    const children: ChildProcess[] = [];
    const onStart = (child: ChildProcess): void => void children.push(child);
    const killed = here.run(['embed', ...EMBEDDER], { env, onStart });
    while (service.embedded.length < 32) await sleep(20);
    let waiting: Promise<Run> | undefined;
    await new Promise<void>((resolve) => {
      const onWait = (child: ChildProcess): void =>
        void child.stderr!.on('data', (text) => String(text).includes(WAITING) && resolve());
      waiting = here.run(['embed', ...EMBEDDER, '--json'], { env, onStart: onWait });
    });
    const before = service.embedded.length;
    service.delay = 0;
    children[0]!.kill('SIGKILL');
    const [, run] = await Promise.all([killed, waiting!]);
    expect(run.code).toBe(0);
    expect(run.json()).toMatchObject({ remaining: 0 });
    expect(service.embedded.length).toBeGreaterThan(before);
    expect(await pendingOf(here, env)).toBe(0);
    // What was under way at the kill: one batch being embedded and one being stored.
    expect(twice(service.embedded.map(({ text }) => text)).length).toBeLessThanOrEqual(192);
  });

  it('B2 what is added while another process embeds is embedded once, by either', async () => {
    const service = await embeddingService();
    const { env } = service;
    const here = folder(documents());
    service.delay = 150;
    const add = (target: string): Promise<Run> =>
      here.run(['add', target, '--store', store, ...EMBEDDER], { env });
    const first = add('docs');
    while (service.embedded.length < 100) await sleep(20);
    here.write(
      Object.fromEntries(Object.entries(documents(100, 10)).map(([name, text]) => [`more/${name}`, text])),
    );
    expect((await Promise.all([first, add('more')])).map(({ code }) => code)).toEqual([0, 0]);
    expect(await pendingOf(here, env)).toBe(0);
    expect(twice(service.embedded.map(({ text }) => text))).toEqual([]);
  });
});
