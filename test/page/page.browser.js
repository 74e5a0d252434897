import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPage, tab, violations } from './browser.js';
import { makeLibrary, start } from './library.js';

/** Every view of the page in a real browser, against the built program. */
let library;
let opened;
let browser;
let owner;
let openAt;

beforeAll(async () => {
  library = makeLibrary();
  opened = await openPage(library);
  ({ browser, owner, openAt } = opened);
});
afterAll(async () => {
  await opened?.close();
  library?.remove();
});

const VIEWS = [
  ['/?q=update', '.result'],
  ['/library', '.documents tbody tr'],
  ['/document/en%2Frolling.md', '.row h2'],
  ['/playground', '.pieces li'],
  ['/map', '.map h1'],
  ['/quality', 'form'],
  ['/tools', '.snippet'],
];

describe.each(VIEWS)('S4.8 %s', (place, ready) => {
  it.each([
    ['en', 'light', false],
    ['zh', 'dark', false],
    ['zh', 'light', true],
  ])(
    'B16 in %s, %s, phone %s: nothing overflows, and axe finds nothing serious',
    async (language, colours, phone) => {
      const { page, bad, context } = await openAt(place, { language, dark: colours === 'dark', phone });
      await page.waitForSelector(ready);
      expect(await page.locator('nav a').first().textContent()).toBe(language === 'zh' ? '搜索' : 'Search');
      const [scroll, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      expect(scroll).toBeLessThanOrEqual(width);
      expect((await page.locator('main').innerText()).trim().length).toBeGreaterThan(20);
      expect(await violations(page)).toEqual([]);
      expect(bad).toEqual([]);
      await context.close();
    },
  );
});

it.each([false, true])('S4.8 colours follow the system (dark: %s) until a reader chooses', async (dark) => {
  const { page, bad, context } = await openAt('/', { dark });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [LIGHT, DARK] = ['rgb(251, 250, 247)', 'rgb(22, 22, 20)'];
  const button = page.getByRole('button', { name: /^Colours:/ });
  await button.waitFor();
  const seen = [await ground()];
  for (let press = 0; press < 2; press++) {
    await button.click();
    seen.push(await ground());
  }
  expect(seen).toEqual([dark ? DARK : LIGHT, LIGHT, DARK]);
  expect(bad).toEqual([]);
  await context.close();
});

describe('S4.8 search', () => {
  it('S4.8 in Chinese, as one types, with the source beside it, by keyboard alone', async () => {
    const { page, bad, context } = await openAt('/library', { language: 'zh' });
    await page.waitForSelector('.documents');
    await page.locator('h1').first().click();
    await page.keyboard.press('/');
    await page.waitForSelector('#query');
    await page.waitForFunction(() => document.activeElement?.id === 'query');
    await page.keyboard.type('回滚');
    await page.waitForSelector('.result mark');
    expect(await page.locator('.result h2').first().innerText()).toBe('滚动更新');
    await page.keyboard.press('ArrowDown');
    await page.waitForSelector('.source .row.marked');
    expect(await page.locator('.row.marked').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('修订版本')]),
    );
    await page.keyboard.press('Escape');
    await page.waitForSelector('.source', { state: 'detached' });
    await page.waitForFunction(() => location.search.includes('q='));
    expect(bad).toEqual([]);
    await context.close();
  });

  it('S4.8 opens the PDF at its page, with the passage marked', async () => {
    const { page, context } = await openAt('/?q=okapi');
    await page.locator('.passage .choose').first().click();
    await page.waitForSelector('.paper .box');
    expect(await page.locator('.turn').innerText()).toContain('2 of 2');
    const picture = await page.locator('.paper img').boundingBox();
    const box = await page.locator('.paper .box').first().boundingBox();
    // The first line stands an eighth of the page below its upper edge.
    expect((box.y + box.height - picture.y) / picture.height).toBeGreaterThan(0.1);
    expect((box.y - picture.y) / picture.height).toBeLessThan(0.14);
    await context.close();
  });

  it('S4.8 filters by chips, and shows what stands around a passage', async () => {
    const { page, context } = await openAt('/?q=update');
    await page.waitForSelector('.result');
    await page.locator('.chip', { hasText: 'pdf' }).click();
    await page.waitForFunction(() => location.search.includes('format=pdf'));
    await page.waitForFunction(() => !document.querySelector('.result'));
    await page.locator('.chip.on').click();
    await page.waitForSelector('.result');
    await page.locator('.about button[aria-expanded]').first().click();
    await page.waitForSelector('.around .middle');
    await context.close();
  });
});

describe('S4.8 documents', () => {
  it('S4.8 shows where passages begin, and every field of what is clicked', async () => {
    const { page, context } = await openAt('/document/en%2Frolling.md');
    await page.locator('.number:not(.section)').first().click();
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.fields dt')].some((one) => one.textContent === 'chunk_hash'),
    );
    const names = await page.locator('.fields dt').allInnerTexts();
    for (const name of ['title_path', 'content', 'loc', 'token_count', 'start_position'])
      expect(names).toContain(name);
    await page.locator('.number.section').first().click();
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.fields dt')].some((one) => one.textContent === 'level'),
    );
    await context.close();
  });

  it('S4.8 a document of 700,000 characters scrolls with few rows in the page, and its end is its end', async () => {
    const { page, context } = await openAt('/document/en%2Flong.md');
    await page.waitForSelector('.row p');
    const facts = await page.locator('.facts').innerText();
    expect(Number(/([\d,]+) characters/.exec(facts)[1].replaceAll(',', ''))).toBeGreaterThan(700_000);
    const longest = await page.evaluate(async () => {
      const reader = document.querySelector('.reader');
      let [worst, most] = [0, 0];
      let last = performance.now();
      for (let at = 0; at < 120; at++) {
        reader.scrollTop += 900;
        await new Promise(requestAnimationFrame);
        worst = Math.max(worst, performance.now() - last);
        last = performance.now();
        most = Math.max(most, document.querySelectorAll('.row').length);
      }
      return { worst, most };
    });
    expect(longest.most).toBeLessThan(150);
    process.stdout.write(`longest frame while scrolling: ${longest.worst.toFixed(0)} ms\n`);
    await page.locator('.outline button', { hasText: 'Part 699' }).click();
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.row')].some((row) => row.textContent.includes('Part 699')),
    );
    await context.close();
  });

  it('S4.8 a hostile document is text: nothing of it runs, loads or leads away', async () => {
    const { page, bad, context } = await openAt('/document/en%2Fhostile.md');
    await page.waitForSelector('.row table');
    expect(await page.evaluate(() => globalThis.hacked)).toBeUndefined();
    expect(await page.locator('main img, main iframe, main script, main svg').count()).toBe(0);
    const links = await page.locator('.reader a').evaluateAll((all) => all.map((one) => one.href));
    for (const link of links) expect(link).toMatch(/^(https?|mailto):/);
    for (const said of ['a click', 'a picture', 'cell'])
      expect(await page.locator('.reader').innerText()).toContain(said);
    expect(await page.locator('h1').innerText()).not.toContain('\u202e');
    await page.goto(`${owner.base}/?q=quicksilver`);
    await page.waitForSelector('.result');
    expect(await page.evaluate(() => globalThis.hacked)).toBeUndefined();
    expect(bad).toEqual([]);
    await context.close();
  });
});

describe('S4.8 the library', () => {
  it('S4.8 a chosen file is searchable; removed, it is not', async () => {
    const { page, context } = await openAt('/library');
    const file = join(library.folder, '..', 'axolotl.md');
    writeFileSync(file, '# Axolotl\n\nThe axolotl keeps its gills for life.\n');
    await page.locator('input[type=file]').first().setInputFiles(file);
    await page.waitForFunction(() => document.querySelector('.said')?.textContent.includes('axolotl.md'));
    await page.waitForFunction(() => document.querySelector('.documents')?.textContent.includes('Axolotl'));
    await page.goto(`${owner.base}/?q=gills`);
    await page.waitForSelector('.result');
    expect(await page.locator('.result h2').first().innerText()).toBe('Axolotl');
    await page.goto(`${owner.base}/library`);
    await page.waitForSelector('.documents');
    page.removeAllListeners('dialog');
    page.on('dialog', (dialog) => dialog.accept());
    await page.locator('tr', { hasText: 'Axolotl' }).locator('button').last().click();
    await page.waitForFunction(() => !document.querySelector('.documents')?.textContent.includes('Axolotl'));
    await context.close();
  });

  it('S4.8 a file that fails is named with the reason', async () => {
    const { page, context } = await openAt('/library');
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'broken.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.from('%PDF-1.4 nothing'),
      });
    await page.waitForSelector('.said .bad');
    expect(await page.locator('.said .bad').first().innerText()).toContain('broken.pdf');
    await context.close();
  });
});

describe('S4.8 the playground', () => {
  it('S4.8 cuts again when settings change, compares two, and asks the text', async () => {
    const { page, context } = await openAt('/playground');
    await page.waitForSelector('.pieces li');
    await page
      .locator('.given textarea')
      .fill(`# A\n\n${'The zebra has stripes. '.repeat(80)}\n\n# B\n\n${'The okapi is shy. '.repeat(80)}`);
    await page.waitForFunction(() => document.querySelector('.pieces li')?.textContent.includes('zebra'));
    const before = await page.locator('.pieces li').count();
    await page.locator('.slider input').first().fill('300');
    await page.waitForFunction((count) => document.querySelectorAll('.pieces li').length > count, before);
    await page.locator('.given input[type=checkbox]').check();
    await page.waitForFunction(() => document.querySelectorAll('.pane .pieces').length === 2);
    await page.locator('.retrieval input').fill('who is shy');
    // By keyboard: what is drawn above may move the button while it is pressed. A problem is named, not waited for.
    await page.locator('.retrieval input').press('Enter');
    await page.waitForSelector('.retrieval :is(.ranked, [role=alert])');
    expect(await page.locator('.retrieval [role=alert]').allInnerTexts()).toEqual([]);
    expect(await page.locator('.retrieval .ranked li').first().innerText()).toContain('okapi');
    await context.close();
  });

  it('S4.8 asks what is typed, not what was last cut', async () => {
    const { page, context } = await openAt('/playground');
    await page.waitForSelector('.pieces li');
    await page.route('**/api/v1/chunk-text', () => {});
    await page.locator('.given textarea').fill('# B\n\nThe okapi is shy.');
    await page.locator('.retrieval input').fill('who is shy');
    await page.locator('.retrieval input').press('Enter');
    await page.waitForSelector('.retrieval .ranked');
    expect(await page.locator('.retrieval .ranked').innerText()).toContain('okapi');
    await context.close();
  });

  it('S4.8 says in words that there is no model, and what to do', async () => {
    const { page, context } = await openAt('/playground');
    await page.waitForSelector('.pieces li');
    await page.locator('.similarity button').click();
    await page.waitForSelector('.similarity [role=alert]');
    expect(await page.locator('.similarity [role=alert]').innerText()).toMatch(
      /not ready[\s\S]*strata embed/,
    );
    await context.close();
  });

  it('S4.8 says in Chinese what the server said, too', async () => {
    const { page, context } = await openAt('/playground', { language: 'zh' });
    await page.waitForSelector('.pieces li');
    await page.locator('.similarity button').click();
    await page.waitForFunction(() =>
      /\p{Script=Han}/u.test(document.querySelector('.similarity [role=alert] .said')?.textContent ?? ''),
    );
    await context.close();
  });
});

describe('S4.8 others', () => {
  it('S4.8 a reader sees nothing that changes the library', async () => {
    const reading = await start(library.folder, 'serve', ['--port', '0']);
    const { page, context } = await tab(browser);
    await page.goto(`${reading.base}/library`);
    await page.waitForSelector('.documents tbody tr');
    expect(await page.locator('.add, .actions, .secret').count()).toBe(0);
    await page.goto(`${reading.base}/tools`);
    await page.waitForSelector('.snippet');
    expect(await page.locator('.tools form').count()).toBe(0);
    await page.goto(`${reading.base}/quality`);
    await page.waitForSelector('.none');
    expect(await page.locator('.quality form').count()).toBe(0);
    await context.close();
    await reading.stop();
  });

  it('S4.8 a server that is gone is named, and the page comes back by itself', async () => {
    const first = await start(library.folder, 'serve', ['--port', '0']);
    const { page, context } = await tab(browser);
    await page.goto(`${first.base}/?q=update`);
    await page.waitForSelector('.result');
    await first.stop();
    await page.waitForSelector('.banner[role=alert]');
    expect(await page.locator('.banner').innerText()).toMatch(/does not answer[\s\S]*strata open/);
    const second = await start(library.folder, 'serve', ['--port', new URL(first.base).port]);
    await page.waitForSelector('.banner[role=alert]', { state: 'detached' });
    await page.locator('#query').fill('okapi');
    await page.waitForFunction(
      () =>
        document.querySelector('.result h2')?.textContent.includes('okapi') ||
        document.querySelector('.result')?.textContent.includes('okapi'),
    );
    await context.close();
    await second.stop();
  });

  it('S4.8 a server with keys asks for one, refuses a wrong one in words, and takes a right one', async () => {
    const key = 'reader-key-0123456789abcdef';
    writeFileSync(join(library.folder, '.tokens'), `${key} ann read\n`, { mode: 0o600 });
    const guarded = await start(library.folder, 'serve', [
      '--port',
      '0',
      '--token-file',
      join(library.folder, '.tokens'),
    ]);
    const { page, context } = await tab(browser);
    await page.goto(guarded.base);
    await page.waitForSelector('.key-form');
    await page.locator('.key-form input').fill('wrong-key-0123456789abcdef');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.key-form [role=alert]');
    await page.locator('.key-form input').fill(key);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.start h1');
    await context.close();
    await guarded.stop();
  });

  it('S4.8 makes a table and a search tool of it, and tries it', async () => {
    const { page, context } = await openAt('/tools');
    await page.waitForSelector('.snippet');
    const text = `A leave of absence is granted for ${'personal reasons of many kinds, '.repeat(12)} and for thirty days at most.`;
    const [table, tool] = [page.locator('.tools form').nth(0), page.locator('.tools form').nth(1)];
    await table.locator('input').fill('handbook');
    await table.locator('textarea').fill(JSON.stringify({ rules: [{ text }] }));
    await table.locator('button').click();
    await page.waitForFunction(() => document.querySelector('.things')?.textContent.includes('handbook'));
    await tool.locator('input').first().fill('rules');
    await tool.locator('button').click();
    await page.waitForFunction(() => document.querySelectorAll('.things')[1]?.textContent.includes('rules'));
    await page.locator('.things input[type=search]').fill('leave of absence');
    await page.locator('.things input[type=search]').press('Enter');
    await page.waitForSelector('.things .ranked .content');
    expect(await page.locator('.things .ranked').innerText()).toContain('thirty days');
    await context.close();
  });
});
