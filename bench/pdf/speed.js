// Pages a second, from bytes to structure, beside pdf.js's bare text: node pdf/speed.js FOLDER [rounds]
// Both read the same files one after the other in processes of their own, in one run; files either cannot read are
// left out. pdf.js gives strings with places and no structure; Strata the whole tree, in the process that parses.
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFAULT_LIMITS, parseDocument } from 'strata-kb';
import { pdfFiles } from './files.js';
import { openWithPdfjs } from './outline.js';

const READERS = {
  strata: async (bytes, name, password) =>
    (await parseDocument({ bytes, name, password, limits: DEFAULT_LIMITS })).pages.length,
  'pdf.js': async (bytes, _name, password) => {
    const task = openWithPdfjs(bytes, password);
    try {
      const document = await task.promise;
      let letters = 0;
      for (let page = 1; page <= document.numPages; page++) {
        const { items } = await (await document.getPage(page)).getTextContent();
        for (const item of items) letters += item.str?.length ?? 0;
      }
      return letters >= 0 ? document.numPages : 0;
    } finally {
      await task.destroy();
    }
  },
};

if (process.send) {
  const read = READERS[process.argv[2]];
  process.on('message', async ({ path, password }) => {
    const bytes = readFileSync(path);
    const cpu = process.cpuUsage();
    const started = performance.now();
    const pages = await read(bytes, path, password).catch(() => null);
    const wall = performance.now() - started;
    const { user, system } = process.cpuUsage(cpu);
    process.send({ pages, wall, cpu: (user + system) / 1000, rss: process.memoryUsage.rss() });
  });
} else await compare(process.argv[2], Number(process.argv[3] ?? 3));

async function compare(folder, rounds) {
  if (folder === undefined) {
    console.error('usage: node pdf/speed.js FOLDER [rounds]');
    process.exit(2);
  }
  const files = pdfFiles(folder);
  const self = fileURLToPath(import.meta.url);
  const children = Object.keys(READERS).map((name) => ({
    name,
    child: fork(self, [name]),
    wall: 0,
    cpu: 0,
    pages: 0,
    rss: 0,
  }));
  const ask = ({ child }, job) =>
    new Promise((resolve) => {
      child.once('message', resolve);
      child.send(job);
    });
  // The first round warms both up.
  for (let round = 0; round <= rounds; round++) {
    for (const { file, password } of files) {
      const replies = [];
      for (const one of children) replies.push(await ask(one, { path: join(folder, file), password }));
      if (round === 0 || replies.some((reply) => !reply.pages)) continue;
      for (const [at, reply] of replies.entries()) {
        children[at].wall += reply.wall;
        children[at].cpu += reply.cpu;
        children[at].pages += reply.pages;
        children[at].rss = Math.max(children[at].rss, reply.rss);
      }
    }
  }
  console.log('| reader | pages | pages/s | pages per CPU-second | RSS, MB |\n|---|---|---|---|---|');
  for (const { name, pages, wall, cpu, rss, child } of children) {
    console.log(
      `| ${name} | ${pages / rounds} | ${((1000 * pages) / wall).toFixed(0)} | ${((1000 * pages) / cpu).toFixed(0)} | ${(rss / 2 ** 20).toFixed(0)} |`,
    );
    child.kill();
  }
}
