import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** The figures as JSON, and as a table for people, in bench/results/. */
export function report(name, result) {
  const folder = new URL('../results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const all = { date: new Date().toISOString(), cpu: `${cpus().length} × ${cpus()[0]?.model}`, ...result };
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(all, null, 2)}\n`);
  const rows = flat(all).map(([key, value]) => `| ${key} | ${round(value)} |`);
  const table = ['| figure | value |', '|---|---|', ...rows].join('\n');
  writeFileSync(new URL(`${name}.md`, folder), `# ${name}\n\n${table}\n`);
  console.log(table);
}

const flat = (value, path = '') =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => flat(inner, path ? `${path}.${key}` : key))
    : [[path, value]];
const round = (value) =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
