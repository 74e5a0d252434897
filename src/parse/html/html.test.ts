import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tree } from '../../model/tree.js';
import { DEFAULT_LIMITS } from '../parser.js';
import { blockTexts, expectSoundTree, outline } from '../tree.suite.js';
import { htmlParser } from './html.js';

const parse = async (html: string | Uint8Array, limits = DEFAULT_LIMITS): Promise<Tree> => {
  const tree = await htmlParser({ bytes: Buffer.from(html), name: 'a.html', limits });
  expectSoundTree(tree);
  return tree;
};
const sentence =
  'The quick brown fox, as ever, jumps over the lazy dog, and nobody, not even the dog, minds it. ';
const prose = (times: number): string => `<p>${sentence.repeat(times)}</p>`.repeat(4);

describe('html', () => {
  it('reads headings, lists, tables, code and quotes of a short page', async () => {
    const tree = await parse(`<!doctype html><html lang="zh"><head><title>Guide &amp; notes</title>
      <style>p { color: red }</style></head><body>
      <h1>部署 <em>Nginx</em></h1><p>First<br>line&nbsp;two with a <a href="/x">link's text</a>.</p>
      <h2>Steps</h2><ol start="3"><li>Build<ul><li>deeper <b>item</b></li></ul></li><li><p>Run</p></li></ol>
      <pre><code class="language-sh">npm run build
  --watch</code></pre>
      <table><caption>Ports</caption><tr><th>Name</th><th>Port</th></tr><tr><td>web</td><td>80</td></tr>
      <tr><td rowspan="2">db</td><td>5432</td></tr><tr><td>5433</td></tr></table>
      <blockquote><p>Said <i>once</i>.</p></blockquote><dl><dt>CORS</dt><dd>Cross origin</dd></dl>
      <script>alert('no')</script></body></html>`);
    expect(tree.title).toBe('Guide & notes');
    expect(tree.metadata).toMatchObject({ language: 'zh' });
    expect(outline(tree).map((line) => line.slice(2))).toEqual(['部署 Nginx', 'Steps']);
    expect(blockTexts(tree)).toEqual([
      "paragraph: First\nline two with a link's text.",
      'list: 3. Build\n  - deeper item\n4. Run',
      'code: npm run build\n  --watch',
      'paragraph: Ports',
      'table: | Name | Port |\n| --- | --- |\n| web | 80 |\n| db | 5432 |\n|  | 5433 |',
      'quote: > Said once.',
      'list: - CORS\n  Cross origin',
    ]);
    expect(tree.blocks[2]!.lang).toBe('sh');
    expect(tree.text).not.toMatch(/alert|color/);
  });

  it('finds the article among navigation, comments and scripts', async () => {
    const tree = await parse(`<html><head><title>On foxes</title></head><body>
      <nav><a href="/">Home</a> <a href="/about">About us</a></nav>
      <div class="sidebar"><ul><li><a href="/1">Most read</a></li></ul></div>
      <article><h1>On foxes</h1>${prose(3)}<h2>Speed</h2>${prose(2)}<pre><code class="language-js">run()</code></pre></article>
      <script>var tracked = 1;</script><!-- English original --><footer>Imprint of the site</footer></body></html>`);
    expect(tree.text).toContain('quick brown fox');
    expect(tree.text).not.toMatch(/About us|Most read|tracked|Imprint|English original/);
    expect(outline(tree)).toContain('2 Speed');
    expect(tree.blocks.find((block) => block.type === 'code')).toMatchObject({ lang: 'js' });
  });

  it('reads the page without its navigation where there is no article', async () => {
    const rows = Array.from(
      { length: 40 },
      (_, n) => `<tr><td>--option-${n}</td><td>does thing ${n}</td></tr>`,
    );
    const tree =
      await parse(`<body><nav>Menu entry</nav><p hidden>secret</p><div style="display:none">unseen</div>
      <main><h1>Options</h1><table>${rows.join('')}</table></main><footer>Imprint</footer></body>`);
    expect(tree.text).toContain('| --option-39 | does thing 39 |');
    expect(tree.text).not.toMatch(/Menu|secret|unseen|Imprint/);
    expect(tree.title).toBe('Options');
  });

  it('leaves HTML comments out: a translated page keeps its original there', async () => {
    const tree = await parse(`<body><!-- <h2>Objectives</h2> <p>English original</p> --><h2>目标</h2>
      <p>中文</p><!--[if IE]><p>old</p><![endif]--></body>`);
    expect(tree.text).toBe('## 目标\n\n中文');
  });

  it('reads a table that lays out a page as the blocks in it', async () => {
    const tree =
      await parse(`<body><table><tr><td><h2>Left</h2><p>one</p></td><td><table><tr><td>a</td><td>b</td></tr>
      <tr><td>c</td><td>d</td></tr></table></td></tr></table><table><tr><td>single</td></tr></table></body>`);
    expect(blockTexts(tree)).toEqual(['paragraph: one', 'table: | a | b |\n| c | d |', 'paragraph: single']);
  });

  it('follows the encoding the page declares', async () => {
    const head =
      '<html><head><meta http-equiv="Content-Type" content="text/html; charset=gb2312"></head><body><p>';
    const gbk = Buffer.from([0xd6, 0xd0, 0xce, 0xc4]); // 中文
    expect((await parse(Buffer.concat([Buffer.from(head), gbk]))).text).toBe('中文');
    expect((await parse(Buffer.from('<meta charset="utf-8"><p>caf\u00e9'))).text).toBe('café');
    expect((await parse(Buffer.from('\ufeff<p>中文'))).text).toBe('中文');
  });

  it('S2.4 a page nested past all reason is read as text, and says so', async () => {
    const deep = await parse(`<body>${'<div>'.repeat(200_000)}<p>bottom &amp; top<script>x()</script>`);
    expect(deep.text).toBe('bottom & top');
    expect(deep.warnings).toHaveLength(1);
    const inline = await parse(`<body><p>${'<b>'.repeat(1_500)}bottom`);
    expect(inline.text).toBe('bottom');
  });

  it('reads a million brackets or entities that are no tags, without a DOM', async () => {
    for (const piece of ['<', '&amp;']) {
      const { text } = await parse(`<!doctype html><body><p>${piece.repeat(1_000_000)}`);
      expect(text).toHaveLength(1_000_000);
    }
  });

  it('gives a sound tree and every visible word of whatever tags', async () => {
    const tag = fc.constantFrom(
      ...'p div b li ul ol table tr td th h2 pre blockquote br dl dt dd code caption thead main article span'.split(
        ' ',
      ),
    );
    const piece = fc.oneof(
      tag.map((name) => `<${name}>`),
      tag.map((name) => `</${name}>`),
      fc.constantFrom('w1 ', 'w2', '词', '\n', '&amp;', '<!-- x -->', '<td colspan=3>', '<ol start=7>'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const tree = await parse(`<body>${pieces.join('')}</body>`);
        const words = (text: string): string[] => (text.match(/w1|w2|词/g) ?? []).sort();
        expect(words(tree.text)).toEqual(words(pieces.join('')));
      }),
      { numRuns: 300 },
    );
  });
});
