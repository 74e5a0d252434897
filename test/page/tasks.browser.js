import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drop, openPage, tab } from './browser.js';
import { docx, makeLibrary, pdf, start } from './library.js';

/** What people come for, from beginning to end, in both languages. */
let library;
let opened;

beforeAll(async () => {
  library = makeLibrary();
  opened = await openPage(library);
});
afterAll(async () => {
  await opened?.close();
  library?.remove();
});

/** Nobody else has these words, so that the languages do not find each other's. */
const WORDS = { en: 'gannet', zh: '鲣鸟' };
const SAID = {
  en: { searchable: 'searchable now', key: 'shown once', watching: 'following' },
  zh: { searchable: '现在可以搜索', key: '只显示一次', watching: '跟随中' },
};

describe.each(['en', 'zh'])('S4.8 in %s', (language) => {
  it('S4.8 dropped files are searchable: a DOCX as text, a PDF opened at its page', async () => {
    const word = WORDS[language];
    const { page, bad, context } = await opened.openAt('/library', { language });
    await page.waitForSelector('.add');
    const pages = [
      ['The first page says nothing.'],
      [`The second page of ${language} is about a cassowary.`],
    ];
    await drop(page, '.add', [
      {
        name: `${language}.docx`,
        content: docx('Birds', `The ${word} dives into the sea. ${word}潜入大海。`),
      },
      { name: `${language}.pdf`, content: Buffer.from(pdf(pages), 'latin1') },
    ]);
    await page.waitForFunction(
      ([name, said]) => {
        const text = document.querySelector('.said')?.textContent ?? '';
        return text.includes(`${name}.docx`) && text.includes(`${name}.pdf`) && text.includes(said);
      },
      [language, SAID[language].searchable],
    );
    expect(await page.locator('.said .bad').count()).toBe(0);

    await page.locator('nav a').first().click();
    await page.locator('#query').fill(word);
    await page.waitForSelector('.result mark');
    expect(await page.locator('.result').first().innerText()).toContain(word);
    await page.locator('.passage .choose').first().click();
    await page.waitForFunction(
      (expected) => document.querySelector('.source')?.textContent.includes(expected),
      word,
    );

    await page.locator('#query').fill(`cassowary ${language}`);
    await page.waitForFunction(
      (name) => document.querySelector('.result')?.textContent.includes(`${name}.pdf`),
      language,
    );
    await page.locator('.passage .choose').first().click();
    await page.waitForSelector('.paper .box');
    expect(await page.locator('.turn').innerText()).toMatch(/2 \/ 2|2 of 2|2.*2/);
    expect(bad).toEqual([]);
    await context.close();
  });

  it('S4.8 makes a table, a search tool, an endpoint and a key, and the key opens exactly that', async () => {
    const { page, bad, context } = await opened.openAt('/tools', { language });
    const [table, tool] = [`handbook-${language}`, `rules_${language}`];
    await page.waitForSelector('.snippet');
    const text = `A leave of absence is granted for ${'personal reasons of many kinds, '.repeat(12)} and thirty days.`;
    await page.locator('.tools form').nth(0).locator('input').fill(table);
    await page
      .locator('.tools form')
      .nth(0)
      .locator('textarea')
      .fill(JSON.stringify({ rules: [{ text }] }));
    await page.locator('.tools form').nth(0).locator('button').click();
    await page.waitForFunction((name) => document.querySelector('select')?.textContent.includes(name), table);
    const making = page.locator('form', { has: page.locator('input[type=number]') });
    await making.locator('input').first().fill(tool);
    await making.locator('select').selectOption(table);
    await making.locator('button').click();
    const item = page.locator('.things li', { hasText: tool });
    await item.locator('input[type=search]').fill('leave of absence');
    await item.locator('input[type=search]').press('Enter');
    await item.locator('.ranked .content').waitFor();
    expect(await item.locator('.ranked').innerText()).toContain('thirty days');

    const endpoints = page.locator('.endpoints');
    await endpoints.locator('input[name=name]').fill(`team-${language}`);
    await endpoints.locator('input[name=name]').press('Enter');
    const endpoint = endpoints.locator('li', { hasText: `/mcp/team-${language}` });
    await endpoint.locator('select').selectOption(tool);
    await endpoint.locator('form button').click();
    await endpoint.locator('.bound', { hasText: tool }).waitFor();

    await page.locator('.keys-of form input').fill(`ann-${language}`);
    await page.locator('.keys-of form button').click();
    await page.waitForSelector('.secret code');
    expect(await page.locator('.secret').innerText()).toContain(SAID[language].key);
    const key = await page.locator('.secret code').innerText();
    expect(bad).toEqual([]);
    await context.close();
    await usesKey(key, tool, language);
  });

  it('S4.8 follows a folder: what is written there is found without being added, until it is told to stop', async () => {
    const folder = join(library.folder, `notes-${language}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'first.md'), '# First\n\nThe first note.\n');
    const { page, bad, context } = await opened.openAt('/library', { language });
    await page.locator('.add form input').fill(`notes-${language}`);
    await page.locator('.add form button[name=watch]').click();
    await page.waitForFunction(
      (said) => document.querySelector('.watched')?.textContent.includes(said),
      SAID[language].watching,
    );
    writeFileSync(join(folder, 'second.md'), `# Second ${language}\n\nWritten later.\n`);
    await page.waitForFunction(
      (title) => document.querySelector('.documents')?.textContent.includes(title),
      `Second ${language}`,
    );
    await page.locator('.watched button').click();
    await page.waitForFunction(() => document.querySelector('.watched') === null);
    expect(bad).toEqual([]);
    rmSync(folder, { recursive: true });
    await context.close();
  });
});

/** As its holder would: the page asks for the key, the tool answers, and nothing is there to change. */
async function usesKey(key, tool, language) {
  const serving = await start(library.folder, 'serve', ['--port', '0']);
  const { page, context } = await tab(opened.browser, { language });
  await page.goto(`${serving.base}/tools`);
  await page.locator('.key-form input').fill(key);
  await page.keyboard.press('Enter');
  const item = page.locator('.things li', { hasText: tool }).first();
  await item.locator('input[type=search]').fill('leave of absence');
  await item.locator('input[type=search]').press('Enter');
  await item.locator('.ranked .content').waitFor();
  expect(await page.locator('.keys-of, .endpoints form, .tools textarea').count()).toBe(0);
  const call = (name, input) =>
    fetch(`${serving.base}/api/v1/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(input),
    });
  expect((await call('tool-call', { name: tool, query: 'absence' })).status).toBe(200);
  for (const [name, input] of [
    ['watch', { folder: '.' }],
    ['key-create', { user: 'ann' }],
    ['endpoint-create', { name: 'mine' }],
  ])
    expect([name, (await call(name, input)).status >= 400]).toEqual([name, true]);
  await context.close();
  await serving.stop();
}
