// What memory does one JSON file take at its peak, as a multiple of the file? (Linux)
// node json_memory.js [--way parse|cli|json|add|tree]… FILE…
//   tree   parsed alone, in a process that has parsed 2 MB before (its code is compiled, its heap has its room)
//   parse  `parse(path)` of the library, in a process that has parsed a tiny file
//   cli    `strata parse FILE` as a whole; json: the same with --json; add: `strata add FILE` into a new library
// Of whole commands, the peak of the resident size (with all child processes) over that of the same command on a tiny
// file. All ways, where none is given. Figures: docs/decisions/json-memory.md.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const WAYS = ['tree', 'parse', 'cli', 'json', 'add'];
const STRATA = fileURLToPath(new URL('../../dist/serve/main.js', import.meta.url));

const args = process.argv.slice(2);
if (args[0] === '--inside') await measureInside(args[1], args[2]);
else await report(args);

async function report(args) {
  const ways = [];
  while (args[0] === '--way') ways.push(args.splice(0, 2)[1]);
  const folder = mkdtempSync(join(tmpdir(), 'strata-memory-'));
  try {
    for (const way of ways.length > 0 ? ways : WAYS)
      for (const file of args) {
        const multiple = (await peakOf(way, file, folder)) / statSync(file).size;
        console.log(
          `${way.padEnd(6)} ${multiple.toFixed(1).padStart(6)} ×  ${megabytes(statSync(file).size)} MB  ${file}`,
        );
      }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(1).padStart(6);
}

async function peakOf(way, file, folder) {
  if (way === 'tree' || way === 'parse') {
    const self = fileURLToPath(import.meta.url);
    return Number((await run(['--expose-gc', self, '--inside', way, file])).out);
  }
  const tiny = join(folder, file.endsWith('.ndjson') ? 'tiny.ndjson' : 'tiny.json');
  writeFileSync(tiny, '{"a":"b"}\n');
  const command = (path) => ({
    cli: [STRATA, 'parse', path],
    json: [STRATA, 'parse', '--json', path],
    add: [STRATA, 'add', '--embedder', 'none', '--library', mkdtempSync(join(folder, 'library-')), path],
  });
  const before = await run(command(tiny)[way]);
  const { peak } = await run(command(file)[way]);
  return peak - before.peak;
}

/** Runs node; the peak is the most that it and its children have had together, looked at every few milliseconds. */
function run(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  let peak = 0;
  const look = setInterval(() => {
    const children = readText(`/proc/${child.pid}/task/${child.pid}/children`)
      .trim()
      .split(' ')
      .filter(Boolean);
    const others = children.reduce((sum, pid) => sum + memory('VmRSS', pid), 0);
    peak = Math.max(peak, memory('VmHWM', child.pid), others + memory('VmRSS', child.pid));
  }, 2);
  child.stdout.on('data', (data) => {
    if (out.length < 1000) out += data;
  });
  return new Promise((resolve, reject) =>
    child.on('exit', (code) => {
      clearInterval(look);
      if (code === 0) resolve({ out, peak });
      else reject(new Error(`${args.join(' ')}: exit code ${code}`));
    }),
  );
}

async function measureInside(way, file) {
  const read = way === 'tree' ? await parsing() : (await import('../../dist/index.js')).parse;
  const folder = mkdtempSync(join(tmpdir(), 'strata-memory-'));
  const first = join(folder, file.endsWith('.ndjson') ? 'first.ndjson' : 'first.json');
  writeFileSync(first, way === 'tree' ? madeUp(first.endsWith('.ndjson')) : '{"a":"b"}\n');
  await read(first);
  rmSync(folder, { recursive: true });
  globalThis.gc();
  // Forgets the peak so far.
  writeFileSync('/proc/self/clear_refs', '5');
  const before = memory('VmRSS');
  const kept = await read(file);
  console.log(memory('VmHWM') - before);
  return kept;
}

async function parsing() {
  const { parseDocument } = await import('../../dist/parse/parse.js');
  const { DEFAULT_LIMITS: limits } = await import('../../dist/parse/parser.js');
  return (name) => parseDocument({ bytes: readFileSync(name), name, limits });
}

function madeUp(asLines) {
  const words =
    'a request gives the object that was asked for 请求返回所要的对象 “quoted” and its fields'.split(' ');
  const text = (at, length) => Array.from({ length }, (_, i) => words[(at + i * 7) % words.length]).join(' ');
  const records = Array.from({ length: 1_500 }, (_, at) => ({
    name: `record ${at}`,
    description: text(at, 90),
    flags: [at, true, null, 'x'],
    inside: {
      summary: text(at, 12),
      deeper: { list: Array.from({ length: 12 }, (_, i) => ({ i, t: text(i, 5) })) },
    },
  }));
  return asLines
    ? records.map((record) => JSON.stringify(record)).join('\n')
    : JSON.stringify({ records }, null, 1);
}

function memory(field, pid = 'self') {
  const kilobytes = new RegExp(`${field}:\\s*(\\d+)`).exec(readText(`/proc/${pid}/status`))?.[1] ?? 0;
  return Number(kilobytes) * 1024;
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Ended meanwhile.
    return '';
  }
}
