import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StrataError } from '../../model/errors.js';
import { sha256 } from '../../model/hash.js';
import { RUNTIME_UNLOADABLE } from '../local/worker-pool.js';
import {
  nativeBuild,
  RUNTIME_VERSION,
  type RuntimeBuild,
  type RuntimePackage,
  WASM_BUILD,
} from './packages.js';
import { pullRuntime, runtimeFolder, withRuntime } from './runtime.js';

/** A tarball as npm makes them: a header of 512 bytes per file, its content padded to as many. */
function tarball(files: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(files).map(([path, content]) => {
    const header = Buffer.alloc(512);
    header.write(`package/${path}`);
    header.write(content.length.toString(8).padStart(11, '0'), 124);
    header.write('0', 156);
    const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
    body.write(content);
    return Buffer.concat([header, body]);
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

describe('the runtime', () => {
  let folder: string;
  let build: RuntimeBuild;
  const options = () => ({
    from: join(folder),
    env: { ...process.env, STRATA_CACHE: join(folder, 'cache') },
    log: (line: string) => said.push(line),
  });
  let said: string[];
  beforeEach(() => {
    said = [];
    folder = mkdtempSync(join(tmpdir(), 'strata-runtime-'));
    const tgz = tarball({ 'package.json': '{}', 'index.js': 'export {};', 'bin/other/x.node': 'not ours' });
    writeFileSync(join(folder, `strata-no-such-package-${RUNTIME_VERSION}.tgz`), tgz);
    const one: RuntimePackage = {
      name: 'strata-no-such-package',
      sha256: sha256(tgz),
      bytes: tgz.length,
      keeps: (path) => !path.startsWith('bin/'),
    };
    build = { kind: 'native', target: 'here', entry: `${one.name}/index.js`, packages: [one] };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('B3 is unpacked from a verified tarball, this system’s files only, said once, and is there the next time', async () => {
    const module = await pullRuntime(build, options());
    const place = join(runtimeFolder(build, options().env), 'node_modules', 'strata-no-such-package');
    expect(module).toBe(`file://${join(place, 'index.js')}`);
    expect(readdirSync(place).sort()).toEqual(['index.js', 'package.json']);
    expect(said).toEqual([expect.stringMatching(/^Fetching ONNX Runtime by Microsoft \(MIT, .*SHA-256/)]);
    rmSync(join(folder, `strata-no-such-package-${RUNTIME_VERSION}.tgz`));
    expect(await pullRuntime(build, options())).toBe(module);
    expect(said).toHaveLength(1);
  });

  it('B15 a tarball with another checksum is not unpacked, and nothing is left of it', async () => {
    const wrong: RuntimeBuild = {
      ...build,
      packages: [{ ...build.packages[0]!, sha256: sha256('another') }],
    };
    const env = { ...options().env, STRATA_CACHE: join(folder, 'cache') };
    process.env.npm_config_registry = 'http://127.0.0.1:9';
    try {
      await expect(pullRuntime(wrong, { ...options(), env })).rejects.toMatchObject({
        code: 'EMBEDDER_UNAVAILABLE',
        message: expect.stringMatching(/could not be fetched/),
      });
    } finally {
      delete process.env.npm_config_registry;
    }
    const cache = join(folder, 'cache', 'runtime');
    const left = existsSync(cache) ? readdirSync(cache) : [];
    expect(left.filter((name) => !name.endsWith('.lease'))).toEqual([]);
  });

  it('B3 WebAssembly takes the place of a native build that does not load, and of nothing else', async () => {
    const { env } = options();
    const place = runtimeFolder(WASM_BUILD, env);
    mkdirSync(join(place, 'node_modules', 'onnxruntime-web', 'dist'), { recursive: true });
    writeFileSync(join(place, 'node_modules', WASM_BUILD.entry), 'export {};');
    const tried: string[] = [];
    const failing = (error: StrataError) =>
      withRuntime({ env }, async (runtime) => {
        tried.push(runtime);
        if (tried.length === 1) throw error;
        return 'vectors';
      });
    const unloadable = new StrataError('EMBEDDER_UNAVAILABLE', 'x', { cause: RUNTIME_UNLOADABLE });
    expect(await failing(unloadable)).toBe('vectors');
    expect(tried).toEqual([
      expect.stringContaining('onnxruntime-node'),
      expect.stringContaining('onnxruntime-web'),
    ]);
    tried.length = 0;
    const noModel = new StrataError('EMBEDDER_UNAVAILABLE', 'no such model');
    await expect(failing(noModel)).rejects.toBe(noModel);
  });

  it('B3 each system gets its own files of the native build, and every other the WebAssembly build', () => {
    const [, node] = nativeBuild('linux', 'x64')!.packages;
    expect(node!.keeps('bin/napi-v6/linux/x64/libonnxruntime.so.1')).toBe(true);
    expect(node!.keeps('bin/napi-v6/linux/arm64/libonnxruntime.so.1')).toBe(false);
    expect(node!.keeps('script/install.js')).toBe(false);
    expect(nativeBuild('darwin', 'x64')).toBeNull();
    expect(nativeBuild('freebsd' as NodeJS.Platform, 'x64')).toBeNull();
    expect(WASM_BUILD.packages[1]!.keeps('dist/ort-wasm-simd-threaded.wasm')).toBe(true);
    expect(WASM_BUILD.packages[1]!.keeps('dist/ort-wasm-simd-threaded.jsep.wasm')).toBe(false);
  });
});
