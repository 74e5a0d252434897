import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { start } from './library.js';

/** Debian's Chromium, driven. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    args: ARGS,
  });

/** A tab that remembers everything it should not have done: errors, requests to others, dialogs. */
export async function tab(browser, { language = 'en', dark = false, phone = false } = {}) {
  const context = await browser.newContext({
    viewport: phone ? { width: 390, height: 844 } : { width: 1280, height: 820 },
    locale: language === 'zh' ? 'zh-CN' : 'en-US',
    colorScheme: dark ? 'dark' : 'light',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const bad = [];
  page.on('pageerror', (error) => bad.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    bad.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) bad.push(message.text());
  });
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol !== 'data:' && hostname !== '127.0.0.1') bad.push(`request: ${request.url()}`);
  });
  return { page, bad, context };
}

/** What axe-core calls serious or critical. */
export async function violations(page) {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate(() =>
    globalThis.axe.run(document, { resultTypes: ['violations'] }),
  );
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

/** `strata open` on a library, and tabs of the person who ran it, at any place of the page. */
export async function openPage({ folder, embedder = 'none' }) {
  const [browser, owner] = await Promise.all([launch(), start(folder, 'open', ['--embedder', embedder])]);
  const { page, context } = await tab(browser);
  await page.goto(owner.url);
  await page.waitForSelector('.start h1');
  const token = await page.evaluate(() => sessionStorage.getItem('strata-token'));
  const code = page.url().includes('code');
  await context.close();
  if (code) throw new Error('the code is still in the address');
  return {
    browser,
    owner,
    token,
    async openAt(place, options) {
      const opened = await tab(browser, options);
      await opened.page.addInitScript((kept) => sessionStorage.setItem('strata-token', kept), token);
      await opened.page.goto(owner.base + place);
      return opened;
    },
    async close() {
      await browser.close();
      await owner.stop();
    },
  };
}

/** Files dropped on an element, as a browser tells it. */
export async function drop(page, selector, files) {
  const transfer = await page.evaluateHandle(
    (given) => {
      const made = new DataTransfer();
      for (const { name, bytes } of given)
        made.items.add(new File([Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0))], name));
      return made;
    },
    files.map(({ name, content }) => ({ name, bytes: Buffer.from(content).toString('base64') })),
  );
  await page.dispatchEvent(selector, 'drop', { dataTransfer: transfer });
}
