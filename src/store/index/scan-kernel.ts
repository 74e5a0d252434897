import { readFileSync } from 'node:fs';

/** What we use of WebAssembly: Node has it, but its types come with a browser's only. */
interface KernelMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (size: { initial: number }) => KernelMemory;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
};

/** The compiled loops of scan-kernel.wat; arguments are explained there. */
interface Loops {
  estimate(
    bits: number,
    weights: number,
    count: number,
    blocks: number,
    query: number,
    scales: number,
    live: number,
    out: number,
    range: number,
  ): void;
  tally(scores: number, count: number, low: number, perUnit: number, bins: number): void;
  above(scores: number, count: number, low: number, perUnit: number, bin: number, out: number): number;
  dot(row: number, blocks: number, query: number): number;
}

export interface ScanKernel extends Loops {
  readonly memory: KernelMemory;
  /** `bytes` of zeros, at an address that is a multiple of 16. Nothing is ever given back. */
  allocate(bytes: number): number;
}

const PAGE = 65_536;
const MOST_AHEAD = 32 * 2 ** 20;
let compiled: object | undefined;

/** An instance with a memory of its own. */
export function scanKernel(): ScanKernel {
  compiled ??= new WebAssembly.Module(readFileSync(new URL('./scan-kernel.wasm', import.meta.url)));
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { exports } = new WebAssembly.Instance(compiled, { scan: { memory } });
  let next = 0;
  return {
    ...(exports as Loops),
    memory,
    allocate(bytes) {
      const at = next;
      next += Math.ceil(bytes / 16) * 16;
      const missing = next - memory.buffer.byteLength;
      // In large steps: each takes a third of a millisecond, and what is not touched costs nothing.
      if (missing > 0) memory.grow(Math.ceil(Math.max(missing, Math.min(next, MOST_AHEAD)) / PAGE));
      return at;
    },
  };
}
