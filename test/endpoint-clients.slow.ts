import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Served, serveLibrary, strata } from './program.js';

/** Two clients that people use, each in its own process, connected to one endpoint while its tools come and go. */
const script = join(import.meta.dirname, 'clients', 'endpoint.js');
const ANIMALS = ['zebra', 'heron', 'otter', 'viper'];

let folder: string;
let server: Served;

async function made(...args: string[]): Promise<void> {
  const { code, stderr } = await strata(args, { cwd: folder });
  expect(code, stderr).toBe(0);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'strata-endpoint-'));
  const rules = ANIMALS.map((animal) => [animal, `The ${animal} has rules. `.repeat(20)]);
  writeFileSync(join(folder, 'rules.json'), JSON.stringify(Object.fromEntries(rules)));
  await made('table', 'put', 'rules', 'rules.json');
  for (const name of ANIMALS)
    await made('tool', 'create', name, '--table', 'rules', '--pointer', `/${name}`, '--mode', 'hybrid');
  await made('endpoint', 'create', 'team');
  await made('endpoint', 'bind', 'team', 'zebra', 'heron', 'otter');
  server = await serveLibrary(folder, []);
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Told {
  readonly tools: string[];
  readonly answer?: { readonly results: readonly { readonly chunk: { readonly json_pointer: string } }[] };
}

class Client {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor(kind: string) {
    this.#child = spawn(process.execPath, [script, kind, `${server.url}/mcp/team`, 'heron'], { cwd: folder });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async told(): Promise<Told> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the client has ended');
    return JSON.parse(value);
  }

  async toolsNow(): Promise<string[]> {
    this.#child.stdin.write('again\n');
    return (await this.told()).tools.sort();
  }

  end(): Promise<unknown> {
    const ended = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.stdin.end();
    return ended;
  }
}

it('S3.4 an endpoint with three tools, two real clients: a tool bound while they are connected appears in both', async () => {
  const clients = [new Client('ai-sdk'), new Client('langchain')];
  for (const client of clients) {
    const { tools, answer } = await client.told();
    expect(tools.sort()).toEqual(['heron', 'otter', 'zebra']);
    expect(answer!.results.map(({ chunk }) => chunk.json_pointer)).toEqual(['/heron']);
  }
  await made('endpoint', 'bind', 'team', 'viper');
  for (const client of clients)
    await expect
      .poll(() => client.toolsNow(), { timeout: 20_000 })
      .toEqual(['heron', 'otter', 'viper', 'zebra']);
  await made('endpoint', 'unbind', 'team', 'zebra');
  for (const client of clients)
    await expect.poll(() => client.toolsNow(), { timeout: 20_000 }).toEqual(['heron', 'otter', 'viper']);
  for (const client of clients) await client.end();
});
