// How long until the first answer of a new process: node start/cold.js LIBRARY [--runs 7]. One JSON line: bare Node, `strata
// search` by words, MCP `initialize`; the median of the runs, in milliseconds.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '7' },
    query: { type: 'string', default: 'configure a service' },
  },
});
const program = join(import.meta.dirname, '../../dist/serve/main.js');
const library = ['--library', positionals[0], '--embedder', 'none'];
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
});

/** Until the process ends, or until it has said a line when something was said to it. */
function once(args, said) {
  const started = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  return new Promise((resolve, reject) => {
    child.stdout.on('data', () => {
      if (said === undefined) return;
      resolve(performance.now() - started);
      child.kill();
    });
    child.on('close', (code) => {
      if (said === undefined && code !== 0) reject(new Error(errors.trim()));
      resolve(performance.now() - started);
    });
    if (said === undefined) child.stdin.end();
    else child.stdin.write(`${said}\n`);
  });
}

const cases = {
  node_ms: [['-e', '0']],
  search_ms: [[program, 'search', values.query, '--mode', 'keyword', ...library]],
  initialize_ms: [[program, 'mcp', ...library], initialize],
};
const times = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
// In turn, so that whatever else the machine does meets all of them.
for (let run = 0; run < Number(values.runs); run++)
  for (const [name, [args, said]] of Object.entries(cases)) times[name].push(await once(args, said));
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
console.log(
  JSON.stringify(Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]))),
);
