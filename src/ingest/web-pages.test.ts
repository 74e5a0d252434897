import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chunkSettings } from '../chunk/settings.js';
import { memoryBackend } from '../store/memory/memory.js';
import { packRecords } from '../store/records.js';
import { type IngestParts, ingest } from './ingest.js';

let server: Server;
let base: string;
let root: string;
let answer: RequestListener = () => {};

beforeAll(async () => {
  root = mkdtempSync(`${tmpdir()}/strata-web-`);
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(root, { recursive: true, force: true });
});

const parts = (): IngestParts => ({
  backend: memoryBackend(),
  root,
  location: `${root}/.strata`,
  settings: chunkSettings(),
  packerOf: async () => packRecords,
  guarded: false,
  onNotice: () => {},
});
const allowed = { allow_hosts: ['127.0.0.1'], workers: 0 };

describe('pages from the web', () => {
  it('are added, left alone while the server says so, and replaced when they change', async () => {
    let version = 1;
    let sent = 0;
    answer = (request, response) => {
      const etag = `"v${version}"`;
      if (request.headers['if-none-match'] === etag) return response.writeHead(304).end();
      sent += 1;
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.setHeader('etag', etag);
      response.end(`<title>Guide</title><body><h1>Setup</h1><p>Version ${version} of the text.</p>`);
    };
    const place = parts();
    const outcomes = async (options = {}): Promise<string[]> =>
      (await ingest(place, [`${base}/guide#top`], { ...allowed, ...options })).entries.map(
        ({ outcome }) => outcome,
      );

    expect(await outcomes()).toEqual(['added']);
    expect(await outcomes({ sync: true })).toEqual(['unchanged']);
    version = 2;
    expect(await outcomes()).toEqual(['changed']);
    expect(await outcomes({ force: true })).toEqual(['changed']);
    expect(sent).toBe(3);

    const [document, ...others] = await place.backend.documents({ limit: 10 });
    expect(others).toEqual([]);
    expect(document).toMatchObject({ source: `${base}/guide`, source_path: `${base}/guide`, title: 'Guide' });
    expect(document!.metadata).toMatchObject({ format: 'html', etag: '"v2"' });
    const chunks = await place.backend.chunksOf(document!.id);
    expect(chunks.at(-1)!.content).toContain('Version 2');
  });

  it('are read in the encoding the server names', async () => {
    answer = (_, response) => {
      response.setHeader('content-type', 'text/html; charset=shift_jis');
      response.end(Buffer.concat([Buffer.from('<body><p>'), Buffer.from([0x93, 0xfa, 0x96, 0x7b])]));
    };
    const place = parts();
    await ingest(place, [base], allowed);
    const [document] = await place.backend.documents({ limit: 1 });
    expect((await place.backend.chunksOf(document!.id))[0]!.content).toBe('日本');
  });

  it('that cannot be fetched are reported, and the rest is added', async () => {
    answer = (request, response) => {
      if (request.url === '/gone') return response.writeHead(404).end();
      response.setHeader('content-type', 'text/markdown');
      response.end('# Fine');
    };
    const done = await ingest(parts(), [`${base}/gone`, `${base}/fine`, 'http://u:p@host/'], allowed);
    expect(done.entries.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['failed', 'INVALID_ARGUMENT'],
      ['failed', 'FETCH_FAILED'],
      ['added', undefined],
    ]);
  });

  it('are refused from private networks unless allowed', async () => {
    answer = (_, response) => response.end('secret');
    const { entries } = await ingest(parts(), [base], { workers: 0 });
    expect(entries).toMatchObject([{ outcome: 'failed', code: 'FORBIDDEN' }]);
  });
});
