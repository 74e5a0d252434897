// A second opinion on bookmarks: pdf.js's.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

export const openWithPdfjs = (bytes, password) =>
  getDocument({
    data: new Uint8Array(bytes),
    password,
    cMapUrl: join(root, 'cmaps/'),
    cMapPacked: true,
    standardFontDataUrl: join(root, 'standard_fonts/'),
    isEvalSupported: false,
    verbosity: 0,
  });

/** Bookmarks that lead to a page: title, page (from 1), height on the page; null where there are none or it cannot be opened. */
export async function outlineOf(bytes, password) {
  const task = openWithPdfjs(bytes, password);
  try {
    const document = await task.promise;
    const found = [];
    const visit = async (items) => {
      for (const { title, dest, items: below } of items) {
        const target = typeof dest === 'string' ? await document.getDestination(dest) : dest;
        const page = await pageOf(document, target);
        if (page !== null) found.push({ title, page, y: heightOf(target) });
        await visit(below);
      }
    };
    await visit((await document.getOutline()) ?? []);
    return found;
  } catch {
    return null;
  } finally {
    await task.destroy();
  }
}

async function pageOf(document, target) {
  if (!Array.isArray(target)) return null;
  try {
    const index = typeof target[0] === 'number' ? target[0] : await document.getPageIndex(target[0]);
    return index < document.numPages ? index + 1 : null;
  } catch {
    return null;
  }
}

function heightOf(target) {
  const kind = target[1]?.name;
  return kind === 'XYZ' ? target[3] : kind === 'FitH' ? target[2] : null;
}
