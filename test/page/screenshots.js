/**
 * The pictures of docs/images: every view of the page, light, dark and on a phone.
 *
 *     npm run build && npm ci --prefix test/page && node test/page/screenshots.js FOLDER docs/images [view...]
 *
 * FOLDER holds a library with vectors, of Markdown in both languages, PDFs and DOCX; a table, a tool, an endpoint and a user
 * are made in it. The views are filled before they are taken, so that a picture shows what a person would see.
 */
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openPage } from './browser.js';

const [folder, out, ...chosen] = process.argv.slice(2);
const opened = await openPage({ folder, embedder: 'local' });
const call = async (name, input) => {
  const answer = await fetch(`${opened.owner.base}/api/v1/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${opened.token}` },
    body: JSON.stringify(input),
  });
  if (!answer.ok && answer.status !== 400) console.error(name, answer.status, await answer.text());
};

const LEAVE =
  'Leave of absence is granted for personal reasons, for at most thirty days a year, and is asked for in writing two weeks before it begins. Whoever is ill says so on the first day and brings a letter from a doctor on the third. ';
const TRAVEL =
  'Journeys are booked by the office, by train wherever the train takes less than six hours. Bills are handed in within a month; what is lost on the way is paid for when a note of the police is with them.';
await call('table-put', {
  table_id: 'handbook',
  content: JSON.stringify({
    rules: [
      { title: 'Leave', text: LEAVE },
      { title: 'Travel', text: TRAVEL },
    ],
  }),
});
await call('tool-create', {
  ...{ name: 'rules', table_id: 'handbook', mode: 'hybrid', chunk_threshold_chars: 80 },
  description: 'The rules of the house: leave, travel, illness.',
});
await call('endpoint-create', { name: 'team', description: 'For the assistants of the team' });
await call('endpoint-bind', { name: 'team', tools: ['rules'] });
await call('user-add', { name: 'ann', role: 'reader' });
await call('key-create', { user: 'ann', label: 'laptop' });
cpSync(resolve('test/fixtures/eval/handbook'), join(folder, 'sets', 'handbook'), { recursive: true });

const VIEWS = {
  async search(page, { language, phone }) {
    await page.goto(
      `${opened.owner.base}/?q=${encodeURIComponent(language === 'zh' ? '如何回滚部署' : 'nested trace trees')}`,
    );
    await page.waitForSelector('.result mark');
    await page.waitForTimeout(2500);
    if (phone) return;
    await page.locator('.passage .choose').first().click();
    await page.waitForSelector('.paper .box, .source .row.marked');
  },
  async library(page) {
    await page.goto(`${opened.owner.base}/library`);
    await page.waitForSelector('.plot rect');
    await page.waitForSelector('.documents tbody tr');
  },
  async document(page, { phone }) {
    await page.goto(
      `${opened.owner.base}/document/kubernetes%2Fen%2Fworkloads%2Fcontrollers%2Fdeployment.md`,
    );
    await page.waitForSelector('.row p');
    if (!phone) await page.locator('.number:not(.section)').nth(1).click();
    if (!phone) await page.waitForFunction(() => document.querySelectorAll('.fields dt').length > 8);
  },
  async playground(page) {
    await page.goto(`${opened.owner.base}/playground`);
    await page.locator('.given input[type=checkbox]').check();
    await page.waitForFunction(() => document.querySelectorAll('.pane .pieces').length === 2);
  },
  async map(page) {
    await page.goto(`${opened.owner.base}/map`);
    await page.waitForSelector('canvas', { timeout: 120_000 });
    await page.locator('input[type=search]').fill('roll back a deployment');
    await page.locator('.map', { hasText: ' · ' }).waitFor({ timeout: 60_000 });
    // The last frame is drawn after the count is.
    await page.waitForTimeout(200);
  },
  async quality(page) {
    await page.goto(`${opened.owner.base}/quality`);
    await page.locator('form input[type=text]').fill('sets/handbook');
    await page.locator('form button[type=submit]').click();
    await page.waitForSelector('.figures', { timeout: 120_000 });
  },
  async tools(page) {
    await page.goto(`${opened.owner.base}/tools`);
    const item = page.locator('.things li', { hasText: 'rules' }).first();
    await item.locator('input[type=search]').fill('leave of absence');
    await item.locator('input[type=search]').press('Enter');
    await item.locator('.ranked .content').first().waitFor();
    await page.waitForSelector('.keys-of td');
  },
};
const LOOKS = {
  light: { language: 'en' },
  dark: { language: 'zh', dark: true },
  phone: { language: 'en', phone: true },
};

for (const [view, show] of Object.entries(VIEWS)) {
  if (chosen.length > 0 && !chosen.includes(view)) continue;
  for (const [look, options] of Object.entries(LOOKS)) {
    const { page, context } = await opened.openAt('/playground', options);
    await page.setViewportSize(options.phone ? { width: 390, height: 800 } : { width: 1280, height: 760 });
    await show(page, options);
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(out, `page-${view}-${look}.png`) });
    await context.close();
  }
}
await opened.close();
