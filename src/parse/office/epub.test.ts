import { describe, expect, it } from 'vitest';
import type { Tree } from '../../model/tree.js';
import { DEFAULT_LIMITS } from '../parser.js';
import { blockTexts, expectSoundTree, outline } from '../tree.suite.js';
import { epubParser } from './epub.js';
import { zipOf } from './opc.suite.js';

const chapter = (body: string): string =>
  `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`;

const book = (extra: Readonly<Record<string, string>> = {}): Uint8Array =>
  zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    'OEBPS/book.opf': `<package xmlns:dc="d"><metadata><dc:title>The Book</dc:title><dc:creator>Li Lei</dc:creator><dc:language>zh</dc:language></metadata>
      <manifest><item id="two" href="text/c%202.xhtml" media-type="application/xhtml+xml"/><item id="one" href="text/c1.xhtml" media-type="application/xhtml+xml"/>
      <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="pic" href="a.png" media-type="image/png"/></manifest>
      <spine><itemref idref="nav"/><itemref idref="one"/><itemref idref="two"/><itemref idref="gone"/></spine></package>`,
    'OEBPS/nav.xhtml': chapter(
      '<nav><ol><li><a href="text/c1.xhtml">In the contents</a></li><li><a href="text/c%202.xhtml#x">第二章</a></li></ol></nav>',
    ),
    'OEBPS/text/c1.xhtml': chapter(
      '<h1>Intro</h1><p>One &nbsp;<b>bold</b><a id="x"/>.</p><h2>Scope</h2><pre>code</pre>',
    ),
    'OEBPS/text/c 2.xhtml': chapter('<p>No heading here.</p>'),
    ...extra,
  });

const parse = async (bytes: Uint8Array): Promise<Tree> => {
  const tree = await epubParser({ bytes, name: 'a.epub', limits: DEFAULT_LIMITS });
  expectSoundTree(tree);
  return tree;
};

describe('epub', () => {
  it('reads chapters in the order of the spine, with headings of their own or of the contents', async () => {
    const tree = await parse(book());
    expect(tree.title).toBe('The Book');
    expect(tree.metadata).toEqual({ author: 'Li Lei', language: 'zh' });
    expect(outline(tree)).toEqual(['1 Intro', '2 Scope', '1 第二章']);
    expect(blockTexts(tree)).toEqual(['paragraph: One bold.', 'code: code', 'paragraph: No heading here.']);
  });

  it('reads the older table of contents too', async () => {
    const opf = `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest><spine toc="ncx"><itemref idref="a"/></spine></package>`;
    const ncx =
      '<ncx><navMap><navPoint><navLabel><text>Old style</text></navLabel><content src="a.xhtml#top"/></navPoint></navMap></ncx>';
    const tree = await parse(
      zipOf({
        'META-INF/container.xml':
          '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
        'b.opf': opf,
        'toc.ncx': ncx,
        'a.xhtml': chapter('<p>text</p>'),
      }),
    );
    expect(tree.text).toBe('# Old style\n\ntext');
  });

  it('names protected books and what is no book', async () => {
    const drm = (algorithm: string): Record<string, string> => ({
      'META-INF/encryption.xml': `<encryption><EncryptedData><EncryptionMethod Algorithm="${algorithm}"/></EncryptedData></encryption>`,
    });
    await expect(parse(book(drm('http://www.w3.org/2001/04/xmlenc#aes256-cbc')))).rejects.toMatchObject({
      code: 'ENCRYPTED',
    });
    expect((await parse(book(drm('http://www.idpf.org/2008/embedding')))).sections).toHaveLength(3);
    await expect(parse(zipOf({ a: 'b' }))).rejects.toMatchObject({ code: 'CORRUPT' });
  });
});
