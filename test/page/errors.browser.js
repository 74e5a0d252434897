import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { drop, launch, openPage, tab } from './browser.js';
import { pdf, run, start } from './library.js';

/** What goes wrong is said in words with a next step, in both languages, and the page goes on by itself afterwards. */
let browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

const endings = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const said = (page, selector, pattern) =>
  page.waitForFunction(
    ([where, source]) =>
      [...document.querySelectorAll(where)].some((one) => new RegExp(source).test(one.textContent)),
    [selector, pattern.source],
  );

function small() {
  const folder = mkdtempSync(join(tmpdir(), 'strata-errors-'));
  endings.push(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'note.md'), '# Tides\n\nThe moon draws the sea, twice a day.\n');
  return folder;
}

/** A file system of its own, this small; null where mounting is not allowed (it needs root, which CI has). */
function smallDisk(folder, megabytes) {
  const point = join(folder, 'disk');
  mkdirSync(point);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'strata', point], { stdio: 'ignore' });
  } catch {
    return null;
  }
  endings.push(() => execFileSync('umount', ['-l', point]));
  return point;
}

describe.each([
  ['en', /disk is full[\s\S]*Make room/, /could not be read|damaged/i, /not valid, or no longer[\s\S]*Ask/],
  ['zh', /磁盘已满[\s\S]*腾出空间/, /请拖入完好的副本/, /无效或已失效[\s\S]*索取新密钥/],
])('S4.8 in %s', (language, full, failed, refused) => {
  it('S4.8 a full disk is named with what to do, and the file is kept as soon as there is room', async () => {
    const disk = smallDisk(small(), 24);
    if (disk === null) return;
    writeFileSync(join(disk, 'note.md'), '# Tides\n\nThe moon draws the sea.\n');
    run(disk, ['add', '.']);
    const { openAt, close } = await openPage({ folder: disk });
    endings.push(close);
    const { page } = await openAt('/library', { language });
    await page.waitForSelector('.add');
    writeFileSync(join(disk, '.ballast'), Buffer.alloc(23 * 2 ** 20 - 600_000));
    const content = `# Ebb\n\n${'The ebb bares the sand. '.repeat(40_000)}`;
    await drop(page, '.add', [{ name: 'ebb.md', content }]);
    await said(page, '.said .bad', full);
    await page.waitForSelector('.waiting');
    rmSync(join(disk, '.ballast'));
    await page.waitForSelector('.waiting', { state: 'detached' });
    await said(page, '.documents', /Ebb/);
  });

  it('S4.8 a file that fails is named with the reason and the next step; a whole one takes its place', async () => {
    const folder = small();
    run(folder, ['add', '.']);
    const { openAt, close } = await openPage({ folder });
    endings.push(close);
    const { page } = await openAt('/library', { language });
    await page.waitForSelector('.add');
    await drop(page, '.add', [{ name: 'broken.pdf', content: '%PDF-1.4 nothing' }]);
    await said(page, '.said .bad', /broken\.pdf/);
    await said(page, '.failures', /broken\.pdf/);
    await said(page, '.failures', failed);
    await drop(page, '.add', [
      { name: 'broken.pdf', content: Buffer.from(pdf([['The egret fishes.']]), 'latin1') },
    ]);
    await page.waitForSelector('.failures', { state: 'detached' });
    await page.locator('nav a').first().click();
    await page.locator('#query').fill('egret');
    await page.waitForSelector('.result mark');
  });

  it('S4.8 a key that expires is named; with a new one the page is where it was', async () => {
    const folder = small();
    run(folder, ['add', '.']);
    run(folder, ['user', 'add', 'ann']);
    const key = (expires) =>
      JSON.parse(run(folder, ['key', 'create', 'ann', '--expires', expires, '--json'])).key;
    const serving = await start(folder, 'serve', ['--port', '0']);
    endings.push(() => serving.stop());
    const ends = Date.now() + 8000;
    const { page, context } = await tab(browser, { language });
    endings.push(() => context.close());
    await page.goto(`${serving.base}/?q=moon`);
    await page.locator('.key-form input').fill(key(new Date(ends).toISOString()));
    await page.keyboard.press('Enter');
    await page.waitForSelector('.result');
    await sleep(ends - Date.now() + 200);
    await page.locator('#query').fill('moon sea');
    await page.waitForSelector('.key-form [role=alert]');
    expect(await page.locator('.key-form [role=alert]').innerText()).toMatch(refused);
    expect(await page.locator('.key-form .said').innerText()).toContain('was valid until');
    await page.locator('.key-form input').fill(key('1h'));
    await page.keyboard.press('Enter');
    await page.waitForSelector('.result mark');
    expect(page.url()).toContain('moon');
  });
});

describe('S4.8 a server that is gone', () => {
  it('S4.8 a file dropped meanwhile waits, and is added when the server is back', async () => {
    const folder = small();
    run(folder, ['add', '.']);
    const tokens = join(folder, '.tokens');
    writeFileSync(tokens, 'writer-key-0123456789abcdef ann write\n', { mode: 0o600 });
    const serve = (port) => start(folder, 'serve', ['--port', port, '--token-file', tokens, '--allow-write']);
    const first = await serve('0');
    const { page, context } = await tab(browser);
    endings.push(() => context.close());
    await page.addInitScript(() => sessionStorage.setItem('strata-token', 'writer-key-0123456789abcdef'));
    await page.goto(`${first.base}/library`);
    await page.waitForSelector('.add');
    await first.stop();
    await drop(page, '.add', [{ name: 'late.md', content: '# Late\n\nIt came late.\n' }]);
    await said(page, '.said .bad', /late\.md: The server does not answer/);
    const second = await serve(new URL(first.base).port);
    endings.push(() => second.stop());
    await said(page, '.documents', /Late/);
  });
});

/** An embedding service that answers when it is let; a vector counts a text's letters. */
async function service() {
  let isReady = true;
  const vector = (text) => {
    const counts = Array.from({ length: 26 }, () => 0.01);
    for (const letter of text.toLowerCase().matchAll(/[a-z]/g)) counts[letter[0].charCodeAt(0) - 97] += 1;
    return counts;
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    while (!isReady) await sleep(50);
    const { input } = JSON.parse(body);
    const data = input.map((text, index) => ({ index, embedding: vector(text) }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  endings.push(() => {
    isReady = true;
    server.closeAllConnections();
    server.close();
  });
  const ready = (now) => {
    isReady = now;
  };
  return { spec: `openai:letters?url=http://127.0.0.1:${server.address().port}/v1`, ready };
}

describe.each([
  ['en', /by words so far[\s\S]*asks again by itself/, /by words and meaning/],
  ['zh', /目前只按词找到[\s\S]*自动再问/, /按词语和语义/],
])('S4.8 a model that is still loading, in %s', (language, waiting, arrived) => {
  it('S4.8 words answer at once and say so; meaning comes by itself', async () => {
    const folder = small();
    const { spec, ready } = await service();
    const flags = ['--embedder', spec];
    await asynchronously(folder, ['add', '.'], flags);
    ready(false);
    const serving = await start(folder, 'serve', ['--port', '0', ...flags]);
    endings.push(() => serving.stop());
    const { page, context } = await tab(browser, { language });
    endings.push(() => context.close());
    await page.goto(`${serving.base}/?q=moon`);
    await page.waitForSelector('.result');
    await said(page, '.notice', waiting);
    ready(true);
    await said(page, '.count', arrived);
    expect(await page.locator('.notice strong').count()).toBe(0);
    const [bar, ...parts] = await page
      .locator('.evidence, .evidence .share')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(part).toBeLessThan(bar);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeLessThanOrEqual(bar);
  });
});

/** The service above lives in this process: it must not be kept waiting. */
async function asynchronously(folder, args, flags) {
  const child = spawn(
    process.execPath,
    [resolve('dist/serve/main.js'), ...args, '--library', join(folder, '.strata'), ...flags],
    { cwd: folder },
  );
  const code = await new Promise((done) => child.on('close', done));
  expect(code).toBe(0);
}
