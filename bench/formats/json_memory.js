// Peak memory of parsing one JSON file, over what the process had before, as a multiple of the file.
// node --expose-gc json_memory.js FILE…   (each file in a process of its own)
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [first, ...rest] = process.argv.slice(2);
if (first === '--one') {
  const { parseDocument } = await import('../../dist/parse/parse.js');
  const { DEFAULT_LIMITS: limits } = await import('../../dist/parse/parser.js');
  const name = rest[0];
  // What the process itself needs (compiled code, the young generation's first growth) is no matter of the file.
  const warm = JSON.stringify(
    Array.from({ length: 4_000 }, (_, at) => ({ at, text: `warm ${at}`, list: [at, `${at}`] })),
  );
  const lines = name.endsWith('.ndjson') ? warm.slice(1, -1).replaceAll('},{', '}\n{') : warm;
  await parseDocument({ bytes: Buffer.from(lines), name, limits });
  const bytes = readFileSync(name);
  globalThis.gc();
  const before = process.memoryUsage().rss;
  const tree = await parseDocument({ bytes, name, limits });
  const peak = process.resourceUsage().maxRSS * 1024;
  globalThis.gc();
  console.log(
    JSON.stringify({
      size: bytes.length,
      before,
      peak,
      after: process.memoryUsage().rss,
      blocks: tree.blocks.length,
    }),
  );
} else {
  for (const file of [first, ...rest]) {
    const out = execFileSync(process.execPath, [
      '--expose-gc',
      fileURLToPath(import.meta.url),
      '--one',
      file,
    ]);
    const { size, before, peak, blocks } = JSON.parse(out.toString());
    const times = ((peak - before) / size).toFixed(1);
    console.log(
      `${file}: ${(size / 1e6).toFixed(1)} MB, ${((peak - before) / 1e6).toFixed(1)} MB more at the peak: ${times} × (${blocks} blocks)`,
    );
  }
}
