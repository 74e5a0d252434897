import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPrivate } from './addresses.js';
import { pageName } from './page-name.js';
import { fetchPage, normaliseUrl } from './web.js';

const ALLOWED = ['127.0.0.1'];
let server: Server;
let base: string;
let handler: RequestListener = () => {};

beforeAll(async () => {
  server = createServer((request, response) => handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const serve = (answer: (request: IncomingMessage, response: ServerResponse) => void): void => {
  handler = answer;
};
const failure = (work: Promise<unknown>): Promise<{ code: string; message: string }> =>
  work.then(
    () => ({ code: 'none', message: '' }),
    (error: { code: string; message: string }) => error,
  );

describe('fetchPage', () => {
  it('gives the bytes, the type, the encoding and what to ask with next time', async () => {
    serve((_, response) => {
      response.setHeader('content-type', 'text/html; charset=GBK');
      response.setHeader('content-encoding', 'gzip');
      response.setHeader('etag', '"v1"');
      response.setHeader('last-modified', 'Sun, 15 Nov 2026 10:00:00 GMT');
      response.end(gzipSync('<p>hello</p>'));
    });
    const page = await fetchPage(`${base}/docs/guide?x=1#part`, { allow: ALLOWED });
    expect(page).toMatchObject({
      url: `${base}/docs/guide?x=1`,
      name: 'guide.html',
      content_type: 'text/html',
      charset: 'GBK',
      etag: '"v1"',
      last_modified: 'Sun, 15 Nov 2026 10:00:00 GMT',
    });
    expect(Buffer.from(page!.bytes).toString()).toBe('<p>hello</p>');
  });

  it('asks with ETag and Last-Modified, and gives null for an unchanged page', async () => {
    serve((request, response) => {
      response.statusCode =
        request.headers['if-none-match'] === '"v1"' && request.headers['if-modified-since'] === 'then'
          ? 304
          : 200;
      response.end();
    });
    expect(await fetchPage(base, { allow: ALLOWED, etag: '"v1"', last_modified: 'then' })).toBeNull();
    expect(await fetchPage(base, { allow: ALLOWED })).not.toBeNull();
  });

  it('follows redirects, so many and no more', async () => {
    serve((request, response) => {
      const left = Number(request.url!.slice(1));
      if (left === 0) return response.end('there');
      response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    expect((await fetchPage(`${base}/5`, { allow: ALLOWED }))!.url).toBe(`${base}/0`);
    expect(await failure(fetchPage(`${base}/6`, { allow: ALLOWED }))).toMatchObject({
      code: 'FETCH_FAILED',
      message: expect.stringMatching(/redirects/),
    });
  });

  it('stops at the size limit: stated, sent, or unpacked', async () => {
    const limits = { allow: ALLOWED, max_bytes: 10_000 };
    serve((_, response) => response.writeHead(200, { 'content-length': '20000' }).end('x'.repeat(20_000)));
    expect((await failure(fetchPage(base, limits))).code).toBe('LIMIT');
    serve((_, response) => {
      for (let at = 0; at < 50; at += 1) response.write('x'.repeat(1_000));
      response.end();
    });
    expect((await failure(fetchPage(base, limits))).code).toBe('LIMIT');
    serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(5_000_000))),
    );
    expect((await failure(fetchPage(base, limits))).code).toBe('LIMIT');
  });

  it('gives up at the time limit, however slowly bytes arrive, and when it is cancelled', async () => {
    serve((_, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect(await failure(fetchPage(base, { allow: ALLOWED, timeout_ms: 150 }))).toMatchObject({
      code: 'LIMIT',
    });
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(), 50);
    expect((await failure(fetchPage(base, { allow: ALLOWED, signal: cancel.signal }))).code).toBe('ABORTED');
  });

  it('names what went wrong', async () => {
    serve((_, response) => response.writeHead(404).end());
    expect(await failure(fetchPage(`${base}/gone`, { allow: ALLOWED }))).toMatchObject({
      code: 'FETCH_FAILED',
      message: `${base}/gone: the server answered 404 Not Found`,
    });
    serve((request) => request.socket.destroy());
    expect((await failure(fetchPage(base, { allow: ALLOWED }))).code).toBe('FETCH_FAILED');
    expect(await failure(fetchPage('http://127.0.0.1:1/', { allow: ALLOWED }))).toMatchObject({
      code: 'FETCH_FAILED',
      message: expect.stringMatching(/refused/),
    });
    serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'));
    expect((await failure(fetchPage(base, { allow: ALLOWED }))).code).toBe('FETCH_FAILED');
  });

  it('refuses this machine and private networks: by address, by name, by redirect', async () => {
    let asked = 0;
    serve((request, response) => {
      asked += 1;
      const port = new URL(base).port;
      response
        .writeHead(302, {
          location: request.url === '/name' ? `http://localhost:${port}/` : `http://127.0.0.2:${port}/`,
        })
        .end();
    });
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
      '2130706433',
      '0x7f.1',
      '169.254.169.254',
    ]) {
      const refused = await failure(fetchPage(`${base.replace('127.0.0.1', host)}/`));
      expect(refused, host).toMatchObject({ code: 'FORBIDDEN' });
    }
    expect(asked).toBe(0);
    expect((await failure(fetchPage(`${base}/`, { allow: ALLOWED }))).code).toBe('FORBIDDEN');
    expect(
      (
        await failure(
          fetchPage(`${base}/name`, {
            allow: ['127.0.0.1:x', '127.0.0.1'],
            resolve: async () => [{ address: '10.0.0.1', family: 4 }],
          }),
        )
      ).code,
    ).toBe('FORBIDDEN');
    expect(asked).toBe(2);
  });

  it('connects to the very address that was checked', async () => {
    serve((request, response) => response.end(request.headers.host));
    const port = new URL(base).port;
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return [{ address: '127.0.0.1', family: 4 as const }];
    };
    const page = await fetchPage(`http://docs.test:${port}/`, { allow: ['127.0.0.1'], resolve });
    expect(Buffer.from(page!.bytes).toString()).toBe(`docs.test:${port}`);
    expect(asked).toBe(1);
    expect((await failure(fetchPage(`http://docs.test:${port}/`, { resolve }))).code).toBe('FORBIDDEN');
  });

  it('takes only web addresses, without passwords and fragments', () => {
    expect(normaliseUrl('HTTP://Example.com/a#b')).toBe('http://example.com/a');
    for (const address of ['ftp://a/', 'file:///etc/passwd', 'http://u:p@a/', 'http://']) {
      expect(() => normaliseUrl(address)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    }
  });
});

describe('isPrivate', () => {
  it.each([
    ['8.8.8.8', false],
    ['1.1.1.1', false],
    ['2606:4700:4700::1111', false],
    ['2a00:1450:4001::1', false],
    // Mapped and translated addresses are other ways to write what is checked elsewhere: nobody needs them.
    ['::ffff:8.8.8.8', true],
    ['::ffff:0:8.8.8.8', true],
    ['3fff::1', true],
    ['5f00::1', true],
    ['2001:20::1', true],
    ['2001:0:1::1', true],
    ['2002:7f00:1::', true],
    ['100:0:0:1::1', true],
    ['192.52.193.1', true],
    ['10.1.2.3', true],
    ['172.31.255.255', true],
    ['172.32.0.1', false],
    ['192.168.0.1', true],
    ['100.64.0.1', true],
    ['169.254.169.254', true],
    ['224.0.0.1', true],
    ['255.255.255.255', true],
    ['::', true],
    ['::1', true],
    ['::ffff:7f00:1', true],
    ['::ffff:10.0.0.1', true],
    ['64:ff9b::7f00:1', true],
    ['fd00::1', true],
    ['fe80::1%eth0', true],
    ['no address', true],
  ])('%s: %s', (address, expected) => {
    expect(isPrivate(address)).toBe(expected);
  });
});

describe('pageName', () => {
  it.each([
    ['https://a.org/', 'text/html', 'a.org.html'],
    ['https://a.org/guide/', 'text/html', 'guide.html'],
    ['https://a.org/x.pdf', 'application/pdf', 'x.pdf'],
    ['https://a.org/README.md', 'text/plain', 'README.md'],
    ['https://a.org/notes', 'text/plain', 'notes.txt'],
    ['https://a.org/%E6%8C%87%E5%8D%97.html', 'text/html', '指南.html'],
    ['https://a.org/v1.2', 'text/html', 'v1.2.html'],
    ['https://a.org/a%2Fb', '', 'a_b'],
  ])('%s as %s: %s', (url, type, name) => {
    expect(pageName(url, type)).toBe(name);
  });
});
