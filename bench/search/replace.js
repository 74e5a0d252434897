// What replacing one document of 20 chunks costs in a small library and in a large one, merges included.
//   node search/replace.js CORPUS.jsonl [1000,100000]
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sampleWrite } from '../../dist/store/sample.js';
import { ENGINES } from './engines.js';
import { randomFrom } from './random.js';

const [corpus, sizes = '1000,100000'] = process.argv.slice(2);
const TIMES = 300;
const random = randomFrom(3);
const body = () => Array.from({ length: 100 }, () => `w${Math.floor(3000 * random() ** 2)}`).join(' ');
const version = (n) =>
  sampleWrite({
    source: 'file:replaced.md',
    title: `Replaced ${n}`,
    parts: Array.from({ length: 20 }, (_, i) => ({ heading: `H${i}`, body: body() })),
  });
for (const size of sizes.split(',').map(Number)) {
  const folder = mkdtempSync(join(tmpdir(), 'strata-replace-'));
  const engine = await ENGINES.strata(folder);
  let chunks = 0;
  let batch = [];
  for await (const line of createInterface({ input: createReadStream(corpus) })) {
    const write = JSON.parse(line);
    chunks += write.chunks.length;
    if (batch.push(write) === 32) await engine.add(batch.splice(0));
    if (chunks >= size) break;
  }
  if (batch.length > 0) await engine.add(batch);
  await engine.finish();
  await engine.add([version(0)]);
  const versions = Array.from({ length: TIMES }, (_, n) => version(n + 1));
  const [cpu, from] = [process.cpuUsage(), performance.now()];
  for (const one of versions) await engine.add([one]);
  await engine.finish();
  const wall_ms = (performance.now() - from) / TIMES;
  const { user, system } = process.cpuUsage(cpu);
  console.log(JSON.stringify({ chunks, cpu_ms: (user + system) / 1000 / TIMES, wall_ms }));
  await engine.close();
  batch = [];
  rmSync(folder, { recursive: true });
}
