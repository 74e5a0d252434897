// Do more processes add files faster? node add/workers.js [--count 2000] [--workers 1,2] FOLDER…
// Takes `count` files, evenly from the formats found, adds them to a new library with each number of workers in turn
// (a short warm-up first), without embedding. Each run is a process of its own, so that none profits from another.
import { fork } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLibrary } from 'strata-kb';

const self = fileURLToPath(import.meta.url);
async function addAll({ files, workers }) {
  const folder = mkdtempSync(join(tmpdir(), 'strata-bench-'));
  const library = await openLibrary({ library: join(folder, '.strata'), embedder: 'none' });
  try {
    const started = performance.now();
    const report = await library.add(files, { workers, embed: false });
    const seconds = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage();
    return {
      seconds,
      main: (user + system) / 1e6,
      ...childrenCpu(),
      added: report.added,
      failed: report.failed,
      chunks: report.chunks.added,
    };
  } finally {
    await library.close();
    rmSync(folder, { recursive: true });
  }
}

/** What the workers' processes have worked: their main threads, and V8's own (compiling, collecting). Linux only. */
function childrenCpu() {
  const cpu = { parsing: 0, helping: 0 };
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [state, thread] = [`/proc/${pid}/stat`, `/proc/${pid}/task/${pid}/stat`].map((path) =>
        readFileSync(path, 'utf8').split(') ')[1].split(' ').map(Number),
      );
      if (state[1] !== process.pid) continue;
      const own = (thread[11] + thread[12]) / 100;
      cpu.parsing += own;
      cpu.helping += (state[11] + state[12]) / 100 - own;
    } catch {
      // Ended meanwhile.
    }
  }
  return cpu;
}

async function compare(args) {
  const option = (name, fallback) => (args.includes(name) ? args.splice(args.indexOf(name), 2)[1] : fallback);
  const count = Number(option('--count', '2000'));
  const numbers = option('--workers', '1,2').split(',').map(Number);
  if (args.length === 0) {
    console.error('usage: node add/workers.js [--count 2000] [--workers 1,2] FOLDER…');
    process.exit(2);
  }
  const files = choose(args.flatMap(filesBelow), count);
  const bytes = files.reduce((sum, path) => sum + statSync(path).size, 0);
  const kinds = groupBy(files, extname);
  console.log(
    `${files.length} files, ${(bytes / 2 ** 20).toFixed(1)} MB: ${[...kinds].map(([kind, list]) => `${kind || 'none'} ${list.length}`).join(', ')}`,
  );
  await run({ files: files.slice(0, 50), workers: 1 });
  console.log(
    '| workers | seconds | files/s | MB/s | CPU-seconds of the main process | of workers | of their V8 threads | added | failed | passages |\n|---|---|---|---|---|---|---|---|---|---|',
  );
  const seconds = [];
  for (const workers of numbers) {
    const result = await run({ files, workers });
    seconds.push(result.seconds);
    console.log(
      `| ${workers} | ${result.seconds.toFixed(1)} | ${(files.length / result.seconds).toFixed(0)} | ${(bytes / 2 ** 20 / result.seconds).toFixed(1)} | ${result.main.toFixed(1)} | ${result.parsing.toFixed(1)} | ${result.helping.toFixed(1)} | ${result.added} | ${result.failed} | ${result.chunks} |`,
    );
  }
  console.log(
    `${numbers.at(-1)} workers are ${(seconds[0] / seconds.at(-1)).toFixed(2)} × as fast as ${numbers[0]}`,
  );
}

const run = (job) =>
  new Promise((resolve, reject) => {
    const child = fork(self);
    child.once('message', (result) => {
      resolve(result);
      child.kill();
    });
    child.once('error', reject);
    child.send(job);
  });

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^(LICENSE|README|manifest)/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));

const groupBy = (list, key) => {
  const groups = new Map();
  for (const item of list) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
};

/** In turn from each format, so that a few thousand pages of one kind do not leave the others out. */
function choose(paths, count) {
  const groups = [...groupBy(paths.sort(), extname).values()];
  const chosen = [];
  for (let at = 0; chosen.length < count && groups.some((group) => group.length > at); at++) {
    for (const group of groups) if (group[at] !== undefined && chosen.length < count) chosen.push(group[at]);
  }
  return chosen;
}

if (process.send) process.once('message', async (job) => process.send(await addAll(job)));
else await compare(process.argv.slice(2));
