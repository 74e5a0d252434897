import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Embedder } from '../embedder.js';
import { openEmbedder } from '../open.js';
import { writeTinyModel } from './tiny-model.suite.js';

const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, d) => sum + value * b[d]!, 0);

describe('local models', () => {
  let folder: string;
  const open: Embedder[] = [];
  const opened = async (path: string): Promise<Embedder> => {
    const embedder = await openEmbedder({ kind: 'local', model: path });
    open.push(embedder);
    return embedder;
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'strata-local-'));
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((embedder) => embedder.close()));
    rmSync(folder, { recursive: true });
  });

  it('gives unit vectors in order, the same for a text whatever its company', async () => {
    const embedder = await opened(writeTinyModel(folder));
    expect(embedder).toMatchObject({ id: 'local:tiny', dimensions: 8 });
    const texts = Array.from({ length: 60 }, (_, i) =>
      ['alpha', 'beta gamma', '部署 nginx', 'the docker of delta . '.repeat((i % 20) + 1)]
        .slice(i % 4)
        .join(' '),
    );
    const together = await embedder.embed(texts, 'passage');
    for (const [i, text] of texts.entries()) {
      const [alone] = await embedder.embed([text], 'passage');
      expect(together[i]).toEqual(alone);
      expect(Math.hypot(...alone!)).toBeCloseTo(1, 5);
    }
    const [alpha, more, other] = await embedder.embed(['alpha', 'alpha alpha', 'beta'], 'passage');
    expect(cosine(alpha!, more!)).toBeGreaterThan(cosine(alpha!, other!));
  });

  it('lets the runtime report nothing to its makers: it leaves no trace in the home folder', () => {
    const model = writeTinyModel(join(folder, 'model'));
    const home = join(folder, 'home');
    mkdirSync(home);
    const dist = new URL('../../../dist/embed/open.js', import.meta.url).href;
    const script = `const { openEmbedder } = await import(${JSON.stringify(dist)});
      const embedder = await openEmbedder({ kind: 'local', model: ${JSON.stringify(model)} });
      console.log((await embedder.embed(['alpha'], 'passage')).length);
      await embedder.close();`;
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: join(home, 'cache') },
      encoding: 'utf8',
    });
    expect(said).toBe('1\n');
    // Its identifier of this machine would stand there.
    expect(readdirSync(home)).toEqual([]);
  });

  it('B2 where the runtime is not here and cannot be fetched it says so, and keeps no program waiting', () => {
    const model = writeTinyModel(join(folder, 'model'));
    const root = fileURLToPath(new URL('../../..', import.meta.url));
    const copy = join(folder, 'package');
    cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
    writeFileSync(join(copy, 'package.json'), '{"type":"module"}');
    mkdirSync(join(copy, 'node_modules'));
    for (const name of readdirSync(join(root, 'node_modules')))
      if (!name.startsWith('onnxruntime'))
        symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
    const script = join(copy, 'script.js');
    writeFileSync(
      script,
      `import { openEmbedder } from './dist/embed/open.js';
      openEmbedder({ kind: 'local', model: process.argv[2] }).catch(({ code, message }) => console.log(code, message));`,
    );
    const env = { ...process.env, STRATA_CACHE: folder, npm_config_registry: 'http://127.0.0.1:9' };
    const run = spawnSync(process.execPath, [script, model], { env, encoding: 'utf8', timeout: 50_000 });
    expect(run.stdout).toMatch(
      /^EMBEDDER_UNAVAILABLE ONNX Runtime, which runs the models, could not be fetched/,
    );
    expect(run).toMatchObject({ status: 0, signal: null });
  });

  it('reads pooling, prefixes and length from the folder, and their change changes the fingerprint', async () => {
    const plain = await opened(writeTinyModel(join(folder, 'plain')));
    const e5 = await opened(writeTinyModel(join(folder, 'e5'), { name: 'multilingual-e5-tiny' }));
    const cls = await opened(
      writeTinyModel(join(folder, 'cls'), {
        files: { '1_Pooling/config.json': { pooling_mode_cls_token: true } },
      }),
    );
    const short = await opened(
      writeTinyModel(join(folder, 'short'), {
        files: { 'sentence_bert_config.json': { max_seq_length: 8 } },
      }),
    );
    expect(new Set([plain, e5, cls, short].map((embedder) => embedder.fingerprint)).size).toBe(4);

    const [asked] = await plain.embed(['query: nginx'], 'query');
    expect((await e5.embed(['nginx'], 'query'))[0]).toEqual(asked);
    expect((await e5.embed(['nginx'], 'passage'))[0]).toEqual(
      (await plain.embed(['passage: nginx'], 'query'))[0],
    );
    // The first token stands for the text: all texts are the same then.
    expect((await cls.embed(['alpha'], 'query'))[0]).toEqual((await cls.embed(['beta'], 'query'))[0]);
    // Eight tokens: [CLS], six words, [SEP].
    const [four, three] = ['alpha beta gamma delta', 'nginx cors docker'];
    const [both, first, second] = await short.embed([`${four} ${three}`, four, three], 'passage');
    // Seven words are read in two parts, whose vectors point together.
    const sum = first!.map((value, d) => value + second![d]!);
    const length = Math.hypot(...sum);
    for (const [d, value] of both!.entries()) expect(value).toBeCloseTo(sum[d]! / length, 5);
    expect(both).not.toEqual(first);
  });

  it('S4.2 reads a text without what a reader does not see', async () => {
    const embedder = await opened(writeTinyModel(folder));
    const [clean, marked] = await embedder.embed(
      ['nginx cors', '<a name="x"></a>[nginx](https://alpha/beta) <!-- gamma -->\u200bcors {#delta}'],
      'passage',
    );
    expect(marked).toEqual(clean);
  });

  it('answers a question before the passages that came first', async () => {
    const embedder = await opened(writeTinyModel(folder));
    const order: string[] = [];
    const passages = embedder
      .embed(
        Array.from({ length: 3000 }, (_, i) => `alpha beta ${'nginx '.repeat(i % 50)}`),
        'passage',
      )
      .then(() => order.push('passages'));
    await embedder.embed(['nginx'], 'query').then(() => order.push('query'));
    await passages;
    expect(order).toEqual(['query', 'passages']);
  });

  it('stops when cancelled, and goes on afterwards', async () => {
    const embedder = await opened(writeTinyModel(folder));
    const cancel = new AbortController();
    const cancelled = embedder.embed(new Array(2000).fill('alpha beta'), 'passage', cancel.signal);
    cancel.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await embedder.embed(['alpha'], 'passage', new AbortController().signal)).toHaveLength(1);
    await expect(embedder.embed(['alpha'], 'passage', cancel.signal)).rejects.toMatchObject({
      code: 'ABORTED',
    });
    await embedder.close();
    await expect(embedder.embed(['alpha'], 'passage')).rejects.toMatchObject({
      code: 'EMBEDDER_UNAVAILABLE',
    });
  });

  it('never gives a vector that is not a number', async () => {
    const embedder = await opened(writeTinyModel(folder, { poison: 'beta' }));
    await expect(embedder.embed(['alpha', 'beta'], 'passage')).rejects.toMatchObject({
      code: 'EMBEDDER_FAILED',
    });
    expect(await embedder.embed(['alpha'], 'passage')).toHaveLength(1);
  });

  it('says what is wrong with a folder or a name', async () => {
    const message = (path: string) =>
      openEmbedder({ kind: 'local', model: path }, { env: { HF_ENDPOINT: 'http://127.0.0.1:9' } }).catch(
        (error) => `${error.code}: ${error.message}`,
      );
    expect(await message(folder)).toMatch(/^EMBEDDER_UNAVAILABLE: .*no model\.onnx/);
    writeTinyModel(folder);
    writeFileSync(join(folder, 'model.onnx'), 'not a model');
    expect(await message(folder)).toMatch(/^EMBEDDER_UNAVAILABLE: /);
    rmSync(join(folder, 'tokenizer.json'));
    expect(await message(folder)).toMatch(/no tokenizer\.json/);
    expect(await message('nonsense')).toMatch(/^EMBEDDER_UNAVAILABLE: There is no model "nonsense"/);
    expect(await message('owner/name')).toMatch(
      /^EMBEDDER_UNAVAILABLE: The model owner\/name could not be fetched/,
    );
  });
});
