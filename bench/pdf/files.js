import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The PDFs of a folder, with their passwords where a `manifest.jsonl` tells them. */
export function pdfFiles(folder) {
  const manifest = join(folder, 'manifest.jsonl');
  if (!existsSync(manifest)) {
    return readdirSync(folder, { recursive: true })
      .filter((name) => /\.pdf$/i.test(name))
      .map((file) => ({ file }));
  }
  return readFileSync(manifest, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
