import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Folder, folder } from './strata.js';

/** Records as services return them, in two languages, with escapes; some 10 MB. */
function records(count: number): object[] {
  const words =
    'a request gives the object that was asked for 请求 返回 所要的 对象 "quoted" and its fields'.split(' ');
  const text = (at: number, length: number): string =>
    Array.from({ length }, (_, i) => words[(at * 3 + i * 7 + (i % at)) % words.length]).join(' ');
  return Array.from({ length: count }, (_, at) => ({
    id: `evt_${at}`,
    title: `record ${at}`,
    description: `${text(at + 1, 60)}\n\n${text(at + 2, 40)}`,
    flags: [at, at % 2 === 0, null, 'x'],
    inside: {
      summary: text(at + 3, 12),
      list: Array.from({ length: 8 }, (_, i) => ({ i, t: text(at + i + 1, 5) })),
    },
  }));
}

/** The most a command has had, its child processes included. Looked at every few milliseconds. */
async function peak(here: Folder, ...args: string[]): Promise<number> {
  let most = 0;
  let look: NodeJS.Timeout | undefined;
  const { code, stderr } = await here.run(args, {
    onStart: ({ pid }) => {
      look = setInterval(() => {
        const children = read(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean);
        const sum = [String(pid), ...children].reduce((total, id) => total + memory('VmRSS', id), 0);
        most = Math.max(most, memory('VmHWM', String(pid)), sum);
      }, 3);
    },
  });
  clearInterval(look);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(most).toBeGreaterThan(20 * 2 ** 20);
  return most;
}

function memory(field: string, pid: string): number {
  return Number(new RegExp(`${field}:\\s*(\\d+)`).exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Ended meanwhile.
    return '';
  }
}

/** A worker process of its own, which a tiny file does without: 60 MB before it reads a byte, and what it compiles. */
const PROCESS = 160 * 2 ** 20;

// Only Linux tells what another process has.
describe.runIf(process.platform === 'linux')(
  'json_big: memory is at most twenty times the file, beside a process',
  () => {
    const all = records(8_000);
    const files = {
      'large.json': JSON.stringify({ records: all }, null, 1),
      'large.ndjson': all.map((record) => JSON.stringify(record)).join('\n'),
    };
    for (const [name, content] of Object.entries(files)) {
      const tiny = name.replace('large', 'tiny');
      for (const args of [['parse'], ['parse', '--json'], ['add', '--quiet']]) {
        it(`strata ${args.join(' ')} ${name}`, async () => {
          const here = folder({ [name]: content, [tiny]: '{"a":"b"}\n' });
          const there = folder({ [tiny]: '{"a":"b"}\n' });
          const size = Buffer.byteLength(content);
          expect(size).toBeGreaterThan(9e6);
          const before = await peak(there, ...args, tiny);
          expect((await peak(here, ...args, name)) - before).toBeLessThan(20 * size + PROCESS);
        });
      }
    }
  },
);
