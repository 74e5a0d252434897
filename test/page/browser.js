import axe from 'axe-core';
import { chromium } from 'playwright-core';

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
