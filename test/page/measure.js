/**
 * What a person feels of the page, in Debian's Chromium: how soon it can be used, how soon a keystroke is answered, and how
 * long frames take while the map is dragged and a long document is scrolled.
 *
 *     npm run build && npm ci --prefix test/page && node test/page/measure.js FOLDER
 *
 * FOLDER holds a library (`.strata`) with 100,000 passages or more, made with `--embedder none`. Prints one line of JSON.
 */
import { openPage, tab } from './browser.js';
import { makeLibrary } from './library.js';

const QUESTIONS = [
  'how to roll back a deployment',
  'persistent volume claim',
  'css grid layout',
  'promise all settled',
  '如何回滚部署',
  '持久卷声明的访问模式',
  'liveness probe timeout',
];
const POINTS = 100_000;

const quantile = (values, share) =>
  Math.round(
    [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))],
  );
const summary = (values) => ({
  p50: quantile(values, 0.5),
  p95: quantile(values, 0.95),
  most: quantile(values, 1),
  count: values.length,
});

/** From the address to a field that takes a question, with nothing cached. */
async function usable(opened) {
  const times = [];
  for (let n = 0; n < 7; n++) {
    const { page, context } = await tab(opened.browser);
    await page.addInitScript((kept) => sessionStorage.setItem('strata-token', kept), opened.token);
    const began = performance.now();
    await page.goto(`${opened.owner.base}/`, { waitUntil: 'commit' });
    await page.waitForFunction(() => document.activeElement?.id === 'query');
    times.push(performance.now() - began);
    await context.close();
  }
  return summary(times);
}

/** From a key to its results on the page: the answer has come, and the list is drawn. */
async function keystrokes(opened) {
  const { page, context } = await opened.openAt('/');
  await page.waitForFunction(() => document.activeElement?.id === 'query');
  await page.evaluate(() => {
    window.answered = [];
    const began = new Map();
    const original = window.fetch;
    window.fetch = async (url, init) => {
      if (!String(url).endsWith('/search')) return original(url, init);
      const at = performance.now();
      const response = await original(url, init);
      began.set(response, at);
      const read = response.json.bind(response);
      response.json = async () => {
        const answer = await read();
        // Two frames: one in which the list is drawn, one that begins when it has been.
        requestAnimationFrame(() => setTimeout(() => window.answered.push(performance.now() - at)));
        return answer;
      };
      return response;
    };
  });
  const warmUp = 12;
  for (const question of ['deployment status', ...QUESTIONS]) {
    await page.locator('#query').fill('');
    for (const letter of question) {
      await page.keyboard.insertText(letter);
      await page.waitForTimeout(140);
    }
  }
  await page.waitForTimeout(500);
  const times = await page.evaluate(() => window.answered);
  await context.close();
  return summary(times.slice(warmUp));
}

/** Made-up points in clusters, as a server with vectors would send them. */
function madeUpMap() {
  const points = new Uint16Array(POINTS * 2);
  const documentOf = new Uint32Array(POINTS);
  let seed = 7;
  const random = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return seed / 0x7fffffff;
  };
  const clusters = Array.from({ length: 60 }, () => [random(), random()]);
  for (let i = 0; i < POINTS; i++) {
    const [x, y] = clusters[i % clusters.length];
    points[2 * i] = 65_535 * Math.min(1, Math.max(0, x + (random() + random() - 1) * 0.08));
    points[2 * i + 1] = 65_535 * Math.min(1, Math.max(0, y + (random() + random() - 1) * 0.08));
    documentOf[i] = i % 200;
  }
  const base64 = (array) => Buffer.from(array.buffer).toString('base64');
  const documents = Array.from({ length: 200 }, (_, at) => ({
    ...{ id: `d${at}`, title: `Document ${at}`, folder: `folder ${at % 8}`, format: 'markdown' },
  }));
  return {
    ...{ state: 'ready', generation: 1, count: POINTS, passages: POINTS, documents },
    ...{ points: base64(points), document_of: base64(documentOf) },
  };
}

const watchFrames = (page) =>
  page.evaluate(() => {
    window.frames_ = [];
    let last = performance.now();
    const next = (now) => {
      window.frames_.push(now - last);
      last = now;
      window.watching_ = requestAnimationFrame(next);
    };
    window.watching_ = requestAnimationFrame(next);
  });
const framesOf = (page) =>
  page.evaluate(() => {
    cancelAnimationFrame(window.watching_);
    return window.frames_.slice(1);
  });

async function panning(opened) {
  const { page, context } = await opened.openAt('/playground');
  const answer = JSON.stringify(madeUpMap());
  await page.route('**/api/v1/map', (route) =>
    route.fulfill({ contentType: 'application/json', body: answer }),
  );
  await page.goto(`${opened.owner.base}/map`);
  await page.waitForSelector('canvas');
  await page.waitForTimeout(500);
  const box = await page.locator('canvas').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel(0, -300);
  await page.waitForTimeout(300);
  await page.mouse.down();
  await watchFrames(page);
  for (let n = 0; n < 150; n++)
    await page.mouse.move(
      box.x + box.width / 2 + 200 * Math.sin(n / 12),
      box.y + box.height / 2 + 150 * Math.cos(n / 17),
    );
  const times = await framesOf(page);
  await page.mouse.up();
  await context.close();
  return summary(times);
}

async function scrolling() {
  const library = makeLibrary();
  const opened = await openPage(library);
  const { page, context } = await opened.openAt('/document/en%2Flong.md');
  await page.waitForSelector('.row p');
  await page.waitForTimeout(1000);
  await watchFrames(page);
  const box = await page.locator('.reader').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  for (let n = 0; n < 150; n++) {
    await page.mouse.wheel(0, 700);
    await page.waitForTimeout(16);
  }
  const times = await framesOf(page);
  await context.close();
  await opened.close();
  library.remove();
  return summary(times);
}

const folder = process.argv[2];
const opened = await openPage({ folder });
const { documents, chunks } = await (
  await fetch(`${opened.owner.base}/api/v1/status`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${opened.token}` },
    body: '{}',
  })
).json();
const figures = {
  documents,
  chunks,
  usable_ms: await usable(opened),
  keystroke_ms: await keystrokes(opened),
  map_frame_ms: await panning(opened),
};
await opened.close();
console.log(JSON.stringify({ ...figures, scroll_frame_ms: await scrolling() }));
