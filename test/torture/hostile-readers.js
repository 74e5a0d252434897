/**
 * Callers who may only read, and want the server to stand still: every one has a key of its own and sends what is long,
 * nested or repeated as fast as the rate lets them, while `/health` is asked all the time.
 *
 *     npm run build && node test/torture/hostile-readers.js [seconds] [readers]
 *
 * Prints one line of JSON; the exit code is 1 when the p99 of `/health` is over 200 ms.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const SECONDS = Number(process.argv[2] ?? 60);
const READERS = Number(process.argv[3] ?? 24);
const LIMIT_MS = 200;
const PROGRAM = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..', 'dist', 'serve', 'main.js');

const folder = mkdtempSync(join(tmpdir(), 'strata-readers-'));
const tokenOf = (n) => `hostile-reader-${String(n).padStart(4, '0')}-0123456789`;
writeFileSync(
  join(folder, '.tokens'),
  Array.from({ length: READERS }, (_, n) => `${tokenOf(n)} r${n} read\n`).join(''),
  { mode: 0o600 },
);
const words = (n) => Array.from({ length: 150 }, (_, i) => `word${(n * 7 + i * 13) % 900}`).join(' ');
for (let n = 0; n < 200; n++) {
  const parts = Array.from({ length: 6 }, (_, i) => `## Part ${i}\n\n${words(n + i)}\n`);
  writeFileSync(join(folder, `d${n}.md`), `# Document ${n} 文档\n\n${parts.join('\n')}`);
}
const env = { ...process.env, STRATA_CONFIG: join(folder, '.config'), STRATA_EMBEDDER: 'none' };
const start = (...args) =>
  spawn(process.execPath, [PROGRAM, ...args, '--library', join(folder, '.strata')], { cwd: folder, env });
await new Promise((done) => start('add', '.', '--quiet').on('close', done));

const server = start('serve', '--port', '0', '--token-file', join(folder, '.tokens'));
const base = await new Promise((found, failed) => {
  let said = '';
  const hear = (data) => {
    said += data;
    const url = /http:\/\/[\d.:]+/.exec(said)?.[0];
    if (url !== undefined) found(url);
  };
  server.stdout.on('data', hear);
  server.stderr.on('data', hear);
  server.on('close', (code) => failed(new Error(`the server ended with ${code}: ${said}`)));
});

const long = (text, length) => text.repeat(Math.ceil(length / text.length)).slice(0, length);
/** What froze servers before, and what could. */
const HOSTILE = [
  ['search', { query: long('word1 word2 ', 10_000) }],
  ['search', { query: long('回滚部署', 10_000) }],
  ['search', { query: long('"a" ', 9_999), prefix: true }],
  ['search', { query: long('-a ', 9_999) }],
  ['search', { query: 'word1', filter: { path: `${long('*?', 400)}!` } }],
  ['search', { query: 'word1', filter: { path: long('/', 4_000) } }],
  ['search', { query: 'word1 word2 word3', limit: 100, full: true, context: 'section' }],
  ['scout', { query: long('word3 文档 ', 9_000), max_tokens: 100_000 }],
  ['verify', { citation: `${long(' ', 90_000)}[strata:x]` }],
  ['inspect', { id: long('#', 4_000) }],
  ['show', { target: long('d1.md:', 4_000) }],
  ['list', { limit: 1000 }],
  ['overview', {}],
  ['documents', { limit: 500 }],
  ['outline', { document: 'd7.md' }],
  ['map', {}],
  ['chunk-text', { text: long('[', 300_000), name: 'x.md' }],
  ['chunk-text', { text: long('> * 1. ', 300_000), name: 'x.md' }],
  ['chunk-text', { text: long('{"a":[', 300_000), name: 'x.json' }],
  ['chunk-text', { text: long('a: &a [', 300_000), name: 'x.yaml' }],
  ['chunk-text', { text: long('<div><table>', 300_000), name: 'x.html' }],
  ['search-text', { text: long('# a\n\nb c d\n\n', 200_000), question: long('b ', 10_000) }],
];

const until = performance.now() + SECONDS * 1000;
let sent = 0;
const statuses = {};
async function reader(n) {
  const headers = { authorization: `Bearer ${tokenOf(n)}`, 'content-type': 'application/json' };
  for (let at = n; performance.now() < until; at++) {
    const [name, input] = HOSTILE[at % HOSTILE.length];
    const response = await fetch(`${base}/api/v1/${name}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(input),
    }).catch(() => null);
    await response?.arrayBuffer().catch(() => {});
    sent++;
    const status = response?.status ?? 'none';
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 429) await sleep(200);
  }
}

const times = [];
async function watch() {
  while (performance.now() < until) {
    const began = performance.now();
    await fetch(`${base}/health`).then((answer) => answer.arrayBuffer());
    times.push(performance.now() - began);
    await sleep(20);
  }
}
await Promise.all([watch(), ...Array.from({ length: READERS }, (_, n) => reader(n))]);
server.removeAllListeners('close');
await new Promise((done) => {
  server.on('close', done);
  server.kill('SIGTERM');
});
rmSync(folder, { recursive: true, force: true });
times.sort((a, b) => a - b);
const at = (share) => Math.round(times[Math.min(times.length - 1, Math.floor(share * times.length))]);
console.log(
  JSON.stringify({
    ...{ readers: READERS, seconds: SECONDS, sent, statuses, asked: times.length },
    health_ms: { p50: at(0.5), p99: at(0.99), most: at(1) },
  }),
);
process.exitCode = at(0.99) > LIMIT_MS ? 1 : 0;
