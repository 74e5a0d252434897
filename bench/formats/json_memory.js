// Peak memory of one JSON file, over what the process had before, as a multiple of the file.
// node json_memory.js [--whole] FILE…   (each file in a process of its own; Linux)
// --whole: parsed, cut, its words counted and packed for the store, as when it is added; else parsed alone.
// What any JSON costs a process once (compiled code, the room V8 gives to new objects) is no matter of the file: the
// process has read a made-up file of 2 MB before, as those have that parse one file after the other.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const args = process.argv.slice(2);
const take = (flag) => args.includes(flag) && args.splice(args.indexOf(flag), 1).length > 0;
const one = take('--one');
const whole = take('--whole');
if (one) await measure(args[0]);
else for (const file of args) report(file);

async function measure(name) {
  const read = whole ? await adding() : await parsing();
  const bytes = readFileSync(name);
  await read(Buffer.from(madeUp(name.endsWith('.ndjson'))), name);
  globalThis.gc();
  // Forgets the peak so far.
  writeFileSync('/proc/self/clear_refs', '5');
  const before = memory('VmRSS');
  const blocks = await read(bytes, name);
  console.log(JSON.stringify({ size: bytes.length, before, peak: memory('VmHWM'), blocks }));
}

function report(file) {
  const self = [fileURLToPath(import.meta.url), '--one', ...(whole ? ['--whole'] : [])];
  const out = execFileSync(process.execPath, ['--expose-gc', ...self, file]);
  const { size, before, peak, blocks } = JSON.parse(out.toString());
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
  console.log(
    `${file}: ${megabytes(size)} MB, ${megabytes(peak - before)} MB more at the peak: ${((peak - before) / size).toFixed(1)} × (${blocks} blocks; ${megabytes(before)} MB before)`,
  );
}

async function parsing() {
  const { parseDocument } = await import('../../dist/parse/parse.js');
  const { DEFAULT_LIMITS: limits } = await import('../../dist/parse/parser.js');
  return async (bytes, name) => (await parseDocument({ bytes, name, limits })).blocks.length;
}

async function adding() {
  const { fleetingChunkWrite, prepare } = await import('../../dist/engine/prepare.js');
  const { parseDocument } = await import('../../dist/parse/parse.js');
  const { settingsOf } = await import('../../dist/engine/settings.js');
  const { packDocument } = await import('../../dist/drivers/sqlite/packed-document.js');
  return async (bytes, name) => {
    const request = {
      doc_id: '00000000-0000-7000-8000-000000000000',
      source: name,
      source_path: name,
      name,
      settings: settingsOf({}),
      updated_at: new Date(0).toISOString(),
      metadata: {},
    };
    const { write } = await prepare(bytes, request, parseDocument, fleetingChunkWrite);
    await packDocument(write, async () => {});
    return write.content.blocks.length;
  };
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

function memory(field) {
  const kilobytes = new RegExp(`${field}:\\s*(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))[1];
  return Number(kilobytes) * 1024;
}
