import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Embedder } from '../embed/embedder.js';
import type { Library, LibraryOptions } from '../engine/library.js';
import { openLibrary } from '../engine/open.js';

/** Counts what it embeds; a text is the mean of its words, names (`subject12`) before all: texts that share some are near. */
export class CountingEmbedder implements Embedder {
  readonly id = 'counting';
  readonly dimensions = 32;
  readonly fingerprint: string;
  passages: string[] = [];

  constructor(fingerprint = 'counting-1') {
    this.fingerprint = fingerprint;
  }

  async embed(texts: readonly string[], role: 'query' | 'passage'): Promise<readonly Float32Array[]> {
    if (role === 'passage') this.passages.push(...texts);
    return texts.map((text) => vectorOf(text));
  }

  async close(): Promise<void> {}
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(32);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 7;
    for (const letter of word) hash = (hash * 31 + letter.codePointAt(0)!) % 65_521;
    const weight = /\p{L}\d/u.test(word) ? 9 : 1;
    for (let d = 0; d < 32; d++) vector[d]! += weight * Math.sin(hash * (d + 1));
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-tools-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** A library in a folder of its own, closed with the test. */
export async function temporaryLibrary(
  options: LibraryOptions = {},
  folder = temporaryFolder(),
): Promise<Library> {
  const library = await openLibrary({ library: join(folder, '.strata'), cwd: folder, ...options });
  onTestFinished(() => library.close().catch(() => {}));
  return library;
}

/** Long enough for every threshold, each with a word of its own. */
export const paragraph = (number: number): string =>
  `Paragraph subject${number} tells how the machine number ${number} is cleaned, repaired and stored. `.repeat(
    3,
  );
