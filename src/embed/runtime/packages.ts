/**
 * What runs the models: ONNX Runtime, as its makers publish it on npm. Its own package would bring every system's
 * build (300 MB) and an install script that fetches CUDA, so Strata does not depend on it: the tarballs are fetched
 * when a model is first needed, checked against these hashes, and only what this machine needs is unpacked. Nothing of
 * them is run at install time.
 */
export interface RuntimePackage {
  readonly name: string;
  /** The checksum of the registry's tarball. */
  readonly sha256: string;
  /** Its size in bytes. */
  readonly bytes: number;
  keeps(path: string): boolean;
}

export interface RuntimeBuild {
  readonly kind: 'native' | 'wasm';
  /** Which build of it this is: a part of its folder's name. */
  readonly target: string;
  /** The module to import, below `node_modules`. */
  readonly entry: string;
  readonly packages: readonly RuntimePackage[];
}

export const RUNTIME_VERSION = '1.30.0';
export const RUNTIME = { name: 'ONNX Runtime', authors: 'Microsoft', licence: 'MIT' } as const;

const common: RuntimePackage = {
  name: 'onnxruntime-common',
  sha256: '7906c439e0d3e0f4048caa23b64cdfadc0f455c377f579ce1ab2a4b778f07d5f',
  bytes: 66_795,
  keeps: (path) => path === 'package.json' || /^dist\/(cjs|esm)\/[\w-]+\.js(on)?$/.test(path),
};

const SYSTEMS = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'win32-x64', 'win32-arm64'];

/** null: there is no native build for this system. */
export function nativeBuild(platform = process.platform, arch = process.arch): RuntimeBuild | null {
  const target = `${platform}-${arch}`;
  if (!SYSTEMS.includes(target)) return null;
  const own = `bin/napi-v6/${platform}/${arch}/`;
  const node: RuntimePackage = {
    name: 'onnxruntime-node',
    sha256: '6e3390d6b783e7be946fad629292799da28d0b42f84856e50d2c1b0383291e75',
    bytes: 113_507_888,
    keeps: (path) => path === 'package.json' || /^dist\/[\w-]+\.js$/.test(path) || path.startsWith(own),
  };
  return { kind: 'native', target, entry: 'onnxruntime-node/dist/index.js', packages: [common, node] };
}

const web: RuntimePackage = {
  name: 'onnxruntime-web',
  sha256: 'd2228df7e4616bc3348bf504ee888f3bec43789a273f0a63f3e68d203ce3bf71',
  bytes: 33_106_585,
  keeps: (path) =>
    ['package.json', 'dist/ort.node.min.mjs'].includes(path) ||
    /^dist\/ort-wasm-simd-threaded\.(mjs|wasm)$/.test(path),
};

/** For any system: the same vectors but for rounding (cosine .996 and more), three to six times slower. */
export const WASM_BUILD: RuntimeBuild = {
  kind: 'wasm',
  target: 'wasm',
  entry: 'onnxruntime-web/dist/ort.node.min.mjs',
  packages: [common, web],
};
