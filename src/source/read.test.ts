import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mediaKind } from './media.js';
import { fileSource, isInside, pathOfSource, toPosix } from './path.js';
import { fileError, readFileBytes } from './read.js';

function folder(): string {
  const base = mkdtempSync(join(tmpdir(), 'strata-read-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  return base;
}

describe('readFileBytes', () => {
  it('gives the bytes, the size and the time', async () => {
    const path = join(folder(), 'a.md');
    writeFileSync(path, 'text');
    const file = await readFileBytes(path);
    expect(Buffer.from(file.bytes).toString()).toBe('text');
    expect(file.size).toBe(4);
    expect(file.mtime_ms).toBeGreaterThan(0);
  });

  it('S0.4 names the path and the reason for whatever is no readable file', async () => {
    const base = folder();
    mkdirSync(join(base, 'dir'));
    symlinkSync('self', join(base, 'self'));
    execFileSync('mkfifo', [join(base, 'fifo')]);
    writeFileSync(join(base, 'big'), 'x'.repeat(2_000_000));
    const failing: [name: string, code: string, reason: RegExp][] = [
      ['gone.md', 'FILE_MISSING', /no such file/],
      ['big/inside', 'FILE_MISSING', /no such file/],
      ['dir', 'NOT_A_FILE', /is a directory/],
      ['fifo', 'NOT_A_FILE', /is a FIFO/],
      ['self', 'FILE_UNREADABLE', /loop of symbolic links/],
      ['big', 'LIMIT', /is 2 MB, more than the 1 MB a file may have/],
      ['x'.repeat(300), 'FILE_UNREADABLE', /too long/],
    ];
    for (const [name, code, reason] of failing) {
      const path = join(base, name);
      const error = await readFileBytes(path, { shown: name, limit: 2 ** 20, follow: true }).catch(
        (caught: unknown) => caught,
      );
      expect(error).toMatchObject({ code, message: expect.stringMatching(reason) });
      expect((error as Error).message).toMatch(new RegExp(`^${name}: `));
    }
  });

  it('B15 follows no link in a file’s place, and reads nothing outside the given folders', async () => {
    const base = realpathSync(folder());
    for (const name of ['in', 'out']) mkdirSync(join(base, name));
    writeFileSync(join(base, 'out', 'secret.md'), 'secret');
    writeFileSync(join(base, 'in', 'own.md'), 'own');
    symlinkSync('../out/secret.md', join(base, 'in', 'link.md'));
    symlinkSync('../out', join(base, 'in', 'folder'));
    const read = (name: string, options = {}) =>
      readFileBytes(join(base, 'in', name), options).then(
        ({ bytes }) => Buffer.from(bytes).toString(),
        (error: Error) => error.message,
      );
    const within = [join(base, 'in')];
    expect(await read('own.md', { within })).toBe('own');
    expect(await read('link.md')).toMatch(/link\.md: is a link, and links are not followed$/);
    expect(await read('link.md', { follow: true })).toBe('secret');
    expect(await read('link.md', { follow: true, within })).toMatch(/outside the folders/);
    expect(await read('folder/secret.md', { within })).toMatch(/outside the folders/);
    expect(await read('../out/secret.md', { within })).toMatch(/outside the folders/);
  });

  it('has words for what systems say', () => {
    expect(fileError('a', Object.assign(new Error('x'), { code: 'EACCES' })).message).toBe(
      'a: permission denied',
    );
    expect(fileError('a', Object.assign(new Error('x'), { code: 'EWEIRD' })).message).toBe(
      'a: cannot be read (EWEIRD)',
    );
  });
});

describe('paths', () => {
  it('are kept relative to the root with /, absolute outside it, and lead back', () => {
    expect(fileSource('/home/me', '/home/me/docs/a.md')).toBe('file:docs/a.md');
    expect(fileSource('/home/me', '/srv/a.md')).toBe('file:/srv/a.md');
    expect(fileSource('/home/me', '/home/me-too/a.md')).toBe('file:/home/me-too/a.md');
    for (const path of ['/home/me/docs/a.md', '/srv/a.md', '/home/me/..notes/x']) {
      expect(pathOfSource('/home/me', fileSource('/home/me', path))).toBe(path);
    }
    expect(pathOfSource('/home/me', 'https://example.org/')).toBeNull();
    expect(isInside('/home/me', '/home/me/..notes/x')).toBe(true);
    expect(toPosix('docs\\sub\\a.md', '\\')).toBe('docs/sub/a.md');
  });
});

describe('mediaKind', () => {
  const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
  it('needs both name and content to call a file no document', () => {
    expect(mediaKind('a.png', bytes('\x89PNG\r\n'))).toBe('a picture');
    expect(mediaKind('a.PNG', bytes('\x89PNG\r\n'))).toBe('a picture');
    expect(mediaKind('a.png', bytes('no picture'))).toBeNull();
    expect(mediaKind('a.md', bytes('\x89PNG\r\n'))).toBeNull();
    expect(mediaKind('a.zip', bytes('PK\x03\x04'))).toBe('an archive');
    expect(mediaKind('a.docx', bytes('PK\x03\x04'))).toBeNull();
    expect(mediaKind('a.webp', bytes('RIFF1234WEBPVP8'))).toBe('a picture');
    expect(mediaKind('a.mp4', bytes('\0\0\0\x20ftypisom'))).toBe('a film');
  });
});
