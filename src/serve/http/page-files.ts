import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Context, Hono } from 'hono';
import type { Env } from './http.js';

/** The built page: a few files that hold nothing of any library, so that whoever reaches the server may have them. */
const FOLDER = ['../../web/', '../../../dist/web/']
  .map((place) => fileURLToPath(new URL(place, import.meta.url)))
  .find((folder) => existsSync(join(folder, 'index.html')));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Only what this server sends is run, drawn or asked; pictures of PDF pages come inside answers. */
export const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_POLICY,
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

interface PageFile {
  readonly plain: Buffer;
  readonly zipped: Buffer;
  readonly type: string;
}

/** The page's own addresses, so that one that was bookmarked opens again. */
const PLACES = ['/', '/search', '/library', '/document/*', '/playground', '/map', '/quality', '/tools'];

export function putPage(app: Hono<Env>): void {
  if (FOLDER === undefined) return;
  const files = readFiles(FOLDER);
  const index = files.get('index.html')!;
  for (const place of PLACES) app.get(place, (c) => send(c, index, 'no-cache'));
  app.get('/assets/:name', (c) => {
    const file = files.get(`assets/${c.req.param('name')}`);
    // Their names hold a hash of what is in them.
    return file === undefined ? c.notFound() : send(c, file, 'public, max-age=31536000, immutable');
  });
  app.get('/icon.svg', (c) => send(c, files.get('icon.svg')!, 'public, max-age=86400'));
}

function readFiles(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const plain = readFileSync(join(folder, name));
    files.set(name.replaceAll('\\', '/'), { plain, zipped: gzipSync(plain, { level: 9 }), type });
  }
  return files;
}

function send(c: Context, { plain, zipped, type }: PageFile, caching: string): Response {
  const packed = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '');
  return c.body(new Uint8Array(packed ? zipped : plain), 200, {
    ...HEADERS,
    'content-type': type,
    'cache-control': caching,
    vary: 'accept-encoding',
    ...(packed && { 'content-encoding': 'gzip' }),
  });
}
