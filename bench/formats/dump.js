// Parses files and prints one JSON line each: what the checks in this folder compare with an independent reading.
// node dump.js FILE… > trees.jsonl   (or file names on standard input)
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseDocument } from '../../dist/parse/parse.js';
import { DEFAULT_LIMITS as limits } from '../../dist/parse/parser.js';

const names = process.argv.slice(2);
if (names.length === 0) for await (const line of createInterface({ input: process.stdin })) names.push(line);
for (const file of names) {
  const started = performance.now();
  const row = { file };
  try {
    Object.assign(row, await parseDocument({ bytes: readFileSync(file), name: file, limits }));
  } catch (error) {
    Object.assign(row, { code: error.code ?? 'NONE', error: error.message });
  }
  console.log(JSON.stringify({ ...row, ms: Math.round(performance.now() - started) }));
}
