import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serveLibrary, strata } from './program.js';
import { PROGRAM } from './strata.js';

/** What the page stands on: its files, the way in, and the API, against the real program. */
const HOSTILE = '# <img src=x onerror=alert(1)>\n\n[click](javascript:alert(1)) and ‮txt.exe\n';

let folder: string;
let reading: Served;
let opened: { url: string; code: string; process: ChildProcess };
let token = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'strata-page-'));
  mkdirSync(join(folder, 'docs'));
  const long = Array.from({ length: 60 }, (_, at) => `## Part ${at}\n\nZebra number ${at} has stripes.\n`);
  writeFileSync(join(folder, 'docs', 'a.md'), `# Zebras\n\n${long.join('\n')}`);
  writeFileSync(join(folder, 'docs', 'hostile.md'), HOSTILE);
  expect((await strata(['add', 'docs', '--no-embed'], { cwd: folder })).code).toBe(0);
  [reading, opened] = await Promise.all([serveLibrary(folder, []), open(folder)]);
});
afterAll(async () => {
  await Promise.all([reading?.stop(), stop(opened?.process)]);
  rmSync(folder, { recursive: true, force: true });
});

/** `strata open`, as it prints its address. */
function open(cwd: string): Promise<{ url: string; code: string; process: ChildProcess }> {
  const args = ['open', '--no-browser', '--library', join(cwd, '.strata'), '--embedder', 'none'];
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd });
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (data) => {
      said += data;
      const match = /(http:\/\/[\d.:]+)\/#code=([\w-]+)/.exec(said);
      if (match) resolve({ url: match[1]!, code: match[2]!, process: child });
    });
    child.on('close', (code) => reject(new Error(`strata open ended with ${code}`)));
  });
}

const stop = (child: ChildProcess | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (child === undefined || child.exitCode !== null) return resolve();
    child.removeAllListeners('close');
    child.on('close', () => resolve());
    child.kill('SIGTERM');
  });

const post = (base: string, name: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  fetch(`${base}/api/v1/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const mine = () => ({ authorization: `Bearer ${token}` });

describe("the page's files", () => {
  it('S4.8 are served at every place of the page, with a strict content policy', async () => {
    for (const place of ['/', '/library', '/document/x', '/playground', '/map', '/quality', '/tools']) {
      const answer = await fetch(reading.url + place);
      expect([place, answer.status]).toEqual([place, 200]);
      const policy = answer.headers.get('content-security-policy')!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(answer.headers.get('x-frame-options')).toBe('DENY');
      const html = await answer.text();
      expect(html).not.toMatch(/<script(?![^>]*src="\/)|\son\w+=|https?:\/\//);
    }
    expect((await fetch(`${reading.url}/assets/..%2findex.html`)).status).toBe(404);
    expect((await fetch(`${reading.url}/elsewhere`)).status).toBe(404);
  });

  it('S4.8 load at most 60 kB of JavaScript first, and ask nobody else', async () => {
    const html = await (await fetch(reading.url)).text();
    const scripts = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map((match) => match[1]!);
    expect(scripts.length).toBeGreaterThan(0);
    const texts = await Promise.all(scripts.map(async (at) => (await fetch(reading.url + at)).text()));
    const bytes = texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
    expect(bytes).toBeLessThan(60_000);
    for (const text of texts) expect(text).not.toMatch(/["'`]https?:\/\/(?!www\.w3\.org)[\w.]+/);
  });

  it('S4.8 answer to no other host', async () => {
    // `fetch` sets the header itself.
    const status = await new Promise((resolve) => {
      request(reading.url, { headers: { host: 'evil.example' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).end();
    });
    expect(status).toBe(421);
  });
});

describe('the way in', () => {
  it('S4.8 `strata open` lets in whoever has its code, once; everybody else gets nothing', async () => {
    expect((await post(opened.url, 'status')).status).toBe(401);
    expect((await post(opened.url, 'login', { code: 'x'.repeat(43) })).status).toBe(401);
    const answer = await post(opened.url, 'login', { code: opened.code });
    expect(answer.status).toBe(200);
    ({ token } = (await answer.json()) as { token: string });
    expect((await post(opened.url, 'login', { code: opened.code })).status).toBe(401);
    const who = await (await post(opened.url, 'who', {}, mine())).json();
    expect(who).toMatchObject({ access: 'owner' });
    expect((await post(reading.url, 'login', { code: opened.code })).status).toBe(401);
  });

  it('S4.8 nothing changes without the token, from another origin, or by a reader', async () => {
    const put = (base: string, headers: Record<string, string>) =>
      fetch(`${base}/api/v1/files/new.md`, { method: 'PUT', headers, body: '# New\n' });
    expect((await put(opened.url, {})).status).toBe(401);
    expect((await put(opened.url, { ...mine(), origin: 'https://evil.example' })).status).toBe(403);
    expect((await put(reading.url, {})).status).toBe(403);
    for (const name of ['add', 'remove', 'embed', 'read-again'])
      expect((await post(reading.url, name, {})).status, name).toBe(403);
    expect((await post(reading.url, 'evaluate', { folder: 'x' })).status).toBe(404);
    expect(existsSync(join(folder, 'uploads'))).toBe(false);
  });
});

describe('the API', () => {
  it('S4.8 is described by an OpenAPI document that has every route, and no other', async () => {
    const api = (await (await fetch(`${reading.url}/api/v1/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, Record<string, { requestBody?: unknown; responses: object }>>;
    };
    expect(api.openapi).toBe('3.1.0');
    const { operations } = (await (await fetch(`${reading.url}/api/v1`)).json()) as { operations: string[] };
    const others = ['/api/v1/events', '/api/v1/files/{name}', '/api/v1/login'];
    expect(Object.keys(api.paths).sort()).toEqual(
      [...operations.map((name) => `/api/v1/${name}`), ...others].sort(),
    );
    for (const name of operations) {
      const { post: described } = api.paths[`/api/v1/${name}`]!;
      expect(described?.requestBody, name).toBeDefined();
      // What is described is there: a field that no operation knows is refused by the route itself.
      const { status } = await post(opened.url, name, { 'no-such-field': 1 }, mine());
      expect([name, status]).toEqual([name, 400]);
    }
  });

  it('S4.8 gives a document as an outline and parts of its text', async () => {
    const outline = (await (await post(reading.url, 'outline', { document: 'docs/a.md' })).json()) as {
      length: number;
      sections: { title: string; start_position: number }[];
      chunks: { id: string; start_position: number; end_position: number }[];
      state: string;
    };
    const source = readFileSync(join(folder, 'docs', 'a.md'), 'utf8');
    expect(outline).toMatchObject({ length: source.length, state: 'same' });
    expect(outline.sections.map(({ title }) => title)).toContain('Part 59');
    const { start_position: from, end_position: to, id } = outline.chunks[3]!;
    const part = await (
      await post(reading.url, 'text', { document: 'docs/a.md', from, length: to - from })
    ).json();
    expect(part).toEqual({ from, to, text: source.slice(from, to) });
    const node = await (await post(reading.url, 'node', { document: 'docs/a.md', id })).json();
    expect(node).toMatchObject({
      kind: 'chunk',
      fields: { id, content: source.slice(from, to), chunk_index: 3 },
    });
  });

  it('S4.8 streams how far a long operation is, then its answer, or its error', async () => {
    const accept = { ...mine(), accept: 'text/event-stream' };
    const events = await (await post(opened.url, 'add', { paths: ['docs'], force: true }, accept)).text();
    expect(events).toMatch(/event: progress\ndata: \{"stage":/);
    expect(events).toMatch(/event: answer\ndata: \{"added":0/);
    const failed = await (await post(opened.url, 'outline', { document: 'nothing' }, accept)).text();
    expect(failed).toMatch(/event: error\ndata: \{"error":\{"code":"NOT_FOUND"/);
  });

  it('S4.8 a dropped file is kept beside the library, added and searchable; its name leads nowhere else', async () => {
    const put = (name: string) =>
      fetch(`${opened.url}/api/v1/files/${name}`, {
        method: 'PUT',
        headers: mine(),
        body: '# Okapi\n\nAn okapi is shy.\n',
      });
    expect(await (await put('notes/okapi.md')).json()).toMatchObject({ added: 1, failed: 0 });
    const found = (await (await post(reading.url, 'search', { query: 'okapi' })).json()) as {
      results: { item: { source_path: string } }[];
    };
    expect(found.results[0]?.item.source_path).toBe('uploads/notes/okapi.md');
    await put('..%2f..%2f.ssh%2fauthorized_keys.md');
    expect(existsSync(join(folder, '..', '.ssh'))).toBe(false);
    expect(existsSync(join(folder, 'uploads', 'ssh', 'authorized_keys.md'))).toBe(true);
  });

  it('B15 a link planted in the place of the folder for uploads gets no file and no folder', async () => {
    const away = join(folder, '..', `${basename(folder)}-away`);
    const planted = join(folder, 'uploads', 'linked');
    mkdirSync(away);
    mkdirSync(join(folder, 'uploads'), { recursive: true });
    symlinkSync(away, planted);
    const answer = await fetch(`${opened.url}/api/v1/files/linked/deep/note.md`, {
      method: 'PUT',
      headers: { ...mine(), 'content-type': 'application/octet-stream' },
      body: '# Note',
    });
    const made = readdirSync(away);
    rmSync(planted);
    rmSync(away, { recursive: true });
    expect([answer.status, made]).toEqual([403, []]);
  });

  it('S4.8 tells whoever listens that the library has changed', async () => {
    const stopping = new AbortController();
    const answer = await fetch(`${reading.url}/api/v1/events`, { signal: stopping.signal });
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let heard = (await reader.read()).value ?? '';
    const before = /"documents":(\d+)/.exec(heard)?.[1];
    await post(opened.url, 'remove', { targets: ['docs/hostile.md'] }, mine());
    while (!heard.includes(`"documents":${Number(before) - 1}`)) heard += (await reader.read()).value ?? '';
    stopping.abort();
    expect(heard).toContain('event: library');
  });

  it('B15 nobody listens more than a hundred times at once, and a place is free again when one stops', async () => {
    const stopping = new AbortController();
    const listen = () => fetch(`${reading.url}/api/v1/events`, { signal: stopping.signal });
    const answers = await Promise.all(Array.from({ length: 110 }, listen));
    const refused = answers.filter(({ status }) => status === 429);
    // Whoever listened a moment ago may still be counted.
    expect(refused.length).toBeGreaterThanOrEqual(10);
    expect(refused.length).toBeLessThanOrEqual(12);
    expect((await post(reading.url, 'search', { query: 'zebra' })).status).toBe(200);
    stopping.abort();
    const again = async (): Promise<number> => {
      const { status, body } = await fetch(`${reading.url}/api/v1/events`);
      await body?.cancel();
      return status;
    };
    await expect.poll(again, { timeout: 10_000 }).toBe(200);
  });

  it('S4.8 cuts a pasted text or a file in the playground, and asks it a question', async () => {
    const text = `# A\n\n${'Zebras are striped. '.repeat(60)}\n\n# B\n\n${'Okapis are shy. '.repeat(60)}`;
    const cut = async (more: object) =>
      (await (await post(reading.url, 'chunk-text', { text, ...more })).json()) as {
        text: string;
        chunks: { start_position: number; end_position: number }[];
      };
    const [small, large] = [await cut({ max: 300, overlap: 0.2 }), await cut({ max: 2000 })];
    expect(small.chunks.length).toBeGreaterThan(large.chunks.length);
    const bytes = Buffer.from(text).toString('base64');
    const file = await post(reading.url, 'chunk-text', { bytes, name: 'a.md', max: 2000 });
    expect(((await file.json()) as typeof large).chunks).toEqual(large.chunks);
    const asked = await post(reading.url, 'search-text', { text, question: 'who is shy', mode: 'keyword' });
    const { passages } = (await asked.json()) as { passages: { content: string; explain: unknown[] }[] };
    expect(passages[0]?.content).toContain('shy');
    expect(passages[0]?.explain.length).toBeGreaterThan(0);
  });

  it('S4.8 says what the library holds, and where there is no model says so', async () => {
    const overview = await (await post(reading.url, 'overview')).json();
    expect(overview).toMatchObject({ formats: [{ name: 'markdown' }], failures: [] });
    const documents = await (await post(reading.url, 'documents', { limit: 1 })).json();
    expect(documents).toMatchObject({
      documents: [{ source_path: 'docs/a.md', state: 'same', pending: false }],
    });
    const near = await post(reading.url, 'similarity', { texts: ['a', 'b'] });
    expect([near.status, ((await near.json()) as { error: { code: string } }).error.code]).toEqual([
      503,
      'EMBEDDER_UNAVAILABLE',
    ]);
    const map = await (await post(reading.url, 'map')).json();
    expect(map).toMatchObject({ state: expect.stringMatching(/making|empty/) });
  });
});
