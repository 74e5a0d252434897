import { StrataError } from '../../model/errors.js';
import { partText, resolvePart } from './opc.js';
import { readXml } from './xml.js';
import type { ZipArchive } from './zip.js';

/** A book's package: which parts are read, in which order, and what the table of contents calls them. */
export interface Book {
  readonly title: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  readonly chapters: readonly string[];
  readonly titles: ReadonlyMap<string, string>;
}

interface Item {
  readonly part: string;
  readonly type: string;
  readonly properties: string;
}

/** These hide fonts from copying, not the text. */
const FONT_HIDING = /idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC/;

export async function readBook(zip: ZipArchive, nesting: number): Promise<Book> {
  await refuseEncrypted(zip, nesting);
  const opf = await packagePart(zip, nesting);
  const folder = opf.slice(0, opf.lastIndexOf('/') + 1);
  const items = new Map<string, Item>();
  const spine: string[] = [];
  const found: Record<string, string> = {};
  let toc: string | undefined;
  let field: string | undefined;
  await readXml(partText(zip, opf)!, opf, nesting, {
    open(name, attributes) {
      if (name === 'item') {
        const part = resolvePart(folder, decodePath(attributes.href ?? ''));
        const { id = '', properties = '' } = attributes;
        items.set(id, { part, type: attributes['media-type'] ?? '', properties });
      } else if (name === 'spine') toc = attributes.toc;
      else if (name === 'itemref' && attributes.idref !== undefined) spine.push(attributes.idref);
      field = FIELDS[name];
    },
    text(data) {
      if (field !== undefined && data.trim() !== '') found[field] ??= data.trim();
    },
    close() {
      field = undefined;
    },
  });
  const list = [...items.values()];
  const navigation = list.find(({ properties }) => /\bnav\b/.test(properties))?.part;
  const ncx =
    (toc === undefined ? undefined : items.get(toc))?.part ?? list.find(({ type }) => /ncx/.test(type))?.part;
  const contents = navigation ?? ncx;
  const { title, ...metadata } = found;
  return {
    title,
    metadata,
    chapters: spine
      .map((id) => items.get(id))
      .filter((item) => item !== undefined && item.part !== navigation && /html|xml/.test(item.type))
      .map((item) => item!.part)
      .filter((part) => zip.has(part)),
    titles: contents === undefined ? new Map() : await readContents(zip, contents, nesting),
  };
}

const FIELDS: Readonly<Record<string, string>> = {
  title: 'title',
  creator: 'author',
  language: 'language',
  publisher: 'publisher',
  date: 'published',
  description: 'description',
};

async function packagePart(zip: ZipArchive, nesting: number): Promise<string> {
  const xml = partText(zip, 'META-INF/container.xml');
  let path: string | undefined;
  if (xml !== undefined) {
    await readXml(xml, 'META-INF/container.xml', nesting, {
      open(name, attributes) {
        if (name === 'rootfile') path ??= attributes['full-path'];
      },
    });
  }
  const opf = path !== undefined && zip.has(path) ? path : zip.names.find((name) => name.endsWith('.opf'));
  if (opf === undefined) throw new StrataError('CORRUPT', 'the zip holds no book');
  return opf;
}

async function refuseEncrypted(zip: ZipArchive, nesting: number): Promise<void> {
  const xml = partText(zip, 'META-INF/encryption.xml');
  if (xml === undefined) return;
  await readXml(xml, 'META-INF/encryption.xml', nesting, {
    open(name, attributes) {
      if (name === 'EncryptionMethod' && !FONT_HIDING.test(attributes.Algorithm ?? '')) {
        throw new StrataError('ENCRYPTED', 'the book is protected (DRM); its text cannot be read');
      }
    },
  });
}

/** The titles of the table of contents (EPUB 3 `nav`, EPUB 2 `ncx`), by part; a part's first title counts. */
async function readContents(zip: ZipArchive, part: string, nesting: number): Promise<Map<string, string>> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  const titles = new Map<string, string>();
  let text = '';
  let target: string | undefined;
  const keep = (): void => {
    const title = text.replace(/\s+/g, ' ').trim();
    if (target !== undefined && title !== '' && !titles.has(target)) titles.set(target, title);
  };
  const place = (href: string | undefined): string | undefined =>
    href === undefined ? undefined : resolvePart(folder, decodePath(href.split('#')[0]!));
  await readXml(partText(zip, part) ?? '<none/>', part, nesting, {
    open(name, attributes) {
      if (name === 'a') {
        target = place(attributes.href);
        text = '';
      } else if (name === 'navPoint') text = '';
      else if (name === 'content') {
        target = place(attributes.src);
        keep();
      }
    },
    text: (data) => {
      text += data;
    },
    close(name) {
      if (name === 'a') keep();
    },
  }).catch(() => undefined);
  return titles;
}

const decodePath = (href: string): string => {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
};
