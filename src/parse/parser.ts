import type { Tree } from '../model/tree.js';

/**
 * One parser = one file, one test, one docs entry. A parser turns bytes into a Tree or throws a StrataError
 * (CORRUPT, ENCRYPTED, NEEDS_OCR, LIMIT, BINARY, UNSUPPORTED) whose message names the problem, not the path:
 * the caller knows the path. Heavy libraries load inside `parse`, when first needed.
 */
export interface Parser {
  /** `markdown`, `pdf`, …: becomes `Tree.format` and `metadata.format`. */
  readonly format: string;
  /** Lower-case, with the dot. A hint only: `detect.ts` looks at the content too. */
  readonly extensions: readonly string[];
  /** Hostile-prone formats (PDF, zipped XML) run in a process of their own that can be killed. */
  readonly isolated?: boolean;
  parse(input: ParseInput): Promise<Tree> | Tree;
}

export interface ParseInput {
  readonly bytes: Uint8Array;
  /** For its extension and as a title of last resort; nothing is read from it. */
  readonly name: string;
  /** The format, where the caller knows it better than the bytes do. */
  readonly format?: string;
  /** Where the document came from, for formats that link relative to it. */
  readonly url?: string;
  /** The encoding that came with the bytes (an HTTP header); it outranks what a page says of itself. */
  readonly charset?: string;
  readonly password?: string;
  readonly limits: ParseLimits;
}

export interface ParseLimits {
  /** What a zipped or compressed file may expand to, in bytes; and the text of JSON, which repeats keys. */
  readonly expanded: number;
  readonly pages: number;
  readonly nesting: number;
}

export const DEFAULT_LIMITS: ParseLimits = { expanded: 512 * 2 ** 20, pages: 20_000, nesting: 2_000 };
