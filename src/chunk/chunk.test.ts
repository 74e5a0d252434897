import { describe, expect, it } from 'vitest';
import { indexedBody, indexedPrefix } from '../model/indexed.js';
import { markdownStructure, markdownTree } from '../parse/markdown/markdown.js';
import { textTree } from '../parse/text.js';
import { chunkDocument } from './chunk.js';
import { type ChunkOptions, chunkSettings } from './settings.js';

const DOC = '6f1c2f7e-0000-4000-8000-000000000001';

function chunk(text: string, options: ChunkOptions = {}, title = 'file name') {
  const tree = markdownStructure(text);
  return chunkDocument(tree, {
    doc_id: DOC,
    title: tree.title ?? title,
    source: 'guide.md',
    settings: chunkSettings(options),
  });
}

const sentence = (n: number) => `Sentence number ${n} says something that no other sentence says. `;
const prose = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => sentence(from + at))
    .join('')
    .trim();

describe('settings', () => {
  it('S4.3 S2.3 have the defaults of the seeds', () => {
    expect(chunkSettings()).toMatchObject({ strategy: 'hierarchical', min: 400, max: 1200, overlap: 0.15 });
    expect(chunkSettings({ strategy: 'content' })).toMatchObject({ min: 100, max: 1500, overlap: 0.2 });
    expect(chunkSettings({ strategy: 'h2' }).max).toBe(Infinity);
    expect(chunkSettings({ max: 200 })).toMatchObject({ min: 100, max: 200 });
  });

  it.each([
    [{ strategy: 'pages' }, 'strategy'],
    [{ min: 1.5 }, 'min'],
    [{ min: -1 }, 'min'],
    [{ max: 0 }, 'max'],
    [{ max: Number.NaN }, 'max'],
    [{ min: 500, max: 100 }, 'min'],
    [{ overlap: 0.6 }, 'overlap'],
    [{ overlap: -0.1 }, 'overlap'],
  ])('are checked, and the option is named: %o', (options, name) => {
    expect(() => chunkSettings(options)).toThrow(new RegExp(`^${name} is `));
  });
});

describe('h2', () => {
  const guide =
    '# 使用指南\n\n开头的话。\n\n## 安装\n\n先安装。\n\n### 细节\n\n更多。\n\n## 使用\n\n再使用。\n';

  it('S0.1 splits at H2, each chunk with the fields of the seed', () => {
    const { chunks } = chunk(guide, { strategy: 'h2' });
    expect(chunks.map(({ title }) => title)).toEqual(['使用指南', '安装', '使用']);
    expect(chunks[1]).toMatchObject({
      doc_id: DOC,
      title_path: ['使用指南', '安装'],
      chunk_index: 1,
      content: '## 安装\n\n先安装。\n\n### 细节\n\n更多。',
      summary: '## 安装\n\n先安装。\n\n### 细节\n\n更多。',
      is_parent: false,
    });
    for (const { id } of chunks) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(chunks[0]!.content).toBe('# 使用指南\n\n开头的话。');
  });

  it('S0.1 a summary is the first 200 characters as people count them', () => {
    const [only] = chunk(`## 题\n\n${'👨‍👩‍👧‍👦'.repeat(300)}`, { strategy: 'h2' }).chunks;
    expect([...new Intl.Segmenter().segment(only!.summary)]).toHaveLength(200);
  });

  it('S0.1 ## in a fence, a comment, HTML or front matter is no heading; setext is one', () => {
    const text =
      '---\ntitle: x\n## no: heading\n---\n\n```sh\n## no heading\n```\n\n<!--\n## hidden\n-->\n\n<div>\n## html\n</div>\n\nReal\n----\n\ntext\n';
    const { chunks } = chunk(text, { strategy: 'h2' });
    expect(chunks.map(({ title }) => title)).toEqual(['file name', 'Real']);
  });

  it("S0.1 a slice begins at its H2; a bare title is the parent's and in no slice", () => {
    const { chunks } = chunk('# Doc\n\n## A\n\na\n\n# Part two\n\n## B\n\nb\n', { strategy: 'h2' });
    expect(chunks.map(({ title_path, content }) => [title_path, content])).toEqual([
      [['Doc', 'A'], '## A\n\na'],
      [['Part two', 'B'], '## B\n\nb'],
    ]);
  });

  it('S0.1 an H2 without a body is a slice all the same', () => {
    const { chunks } = chunk('## Alpha\n\n## Beta\n\ntext\n\n## Gamma\n', { strategy: 'h2' });
    expect(chunks.map(({ title, content }) => [title, content])).toEqual([
      ['Alpha', '## Alpha'],
      ['Beta', '## Beta\n\ntext'],
      ['Gamma', '## Gamma'],
    ]);
  });

  it("S0.1 text before the first H2 is a chunk under the document's title; text under a later H1 is its own", () => {
    const { chunks } = chunk('Before.\n\n# Doc\n\n### Deep\n\ntext\n\n## A\n\na\n\n# Two\n\nother\n', {
      strategy: 'h2',
    });
    expect(chunks.map(({ title, section_id, content }) => [title, section_id === null, content])).toEqual([
      ['Doc', true, 'Before.\n\n# Doc\n\n### Deep\n\ntext'],
      ['A', false, '## A\n\na'],
      ['Two', false, '# Two\n\nother'],
    ]);
  });

  it('S0.2 without an H2 the whole document is one chunk of the document itself', () => {
    const text = `# T\n\n${prose(0, 200)}\n\n### H3\n\nmore\n`;
    const { chunks } = chunk(text, { strategy: 'h2' });
    expect(chunks).toHaveLength(1);
    expect(chunks[0]).toMatchObject({
      content: text.trim(),
      doc_id: DOC,
      section_id: null,
      title: 'T',
      parent_doc_title: 'T',
      start_position: 0,
    });
  });

  it('S0.2 chunks have no maximum: from the heading to the next H2', () => {
    const { chunks } = chunk(`## A\n\n${prose(0, 500)}\n\n## B\n\nb\n`, { strategy: 'h2' });
    expect(chunks).toHaveLength(2);
    expect(chunks[0]!.content.length).toBeGreaterThan(20_000);
  });

  it('S0.3 the parent has the first H1 as title, else front matter, else nothing; and joined summaries of at most 500', async () => {
    expect(markdownStructure('text\n\n# One\n\n# Two\n').title).toBe('One');
    expect((await markdownTree('---\ntitle: 前言\n---\n\ntext\n')).title).toBe('前言');
    expect((await markdownTree('---\ntitle: Front\n---\n\n# H1\n')).title).toBe('H1');
    expect(markdownStructure('## Two\n').title).toBeNull();
    const { summary, chunks } = chunk(
      `# T\n\n${prose(0, 9)}\n\n## A\n\n${prose(20, 9)}\n\n## B\n\n${prose(40, 9)}\n`,
      { strategy: 'h2' },
    );
    expect(chunks).toHaveLength(3);
    expect(summary.startsWith(`${chunks[0]!.summary} ${chunks[1]!.summary}`)).toBe(true);
    expect(summary).toHaveLength(500);
  });
});

describe('the tree', () => {
  it('S4.1 a document has sections by level, with path, place and typed blocks', () => {
    const text =
      '前言。\n\n# 部署\n\n段落。\n\n## Nginx\n\n```nginx\nserver {}\n```\n\n### CORS\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- 一\n- 二\n\n> 引用\n';
    const { sections, blocks } = chunk(text);
    expect(sections.map(({ title_path, level }) => [title_path, level])).toEqual([
      [['部署'], 1],
      [['部署', 'Nginx'], 2],
      [['部署', 'Nginx', 'CORS'], 3],
    ]);
    expect(sections[0]!.parent_id).toBe(DOC);
    expect(sections[2]!.parent_id).toBe(sections[1]!.id);
    expect(sections.map((section) => section.blocks.map(({ type }) => type))).toEqual([
      ['paragraph'],
      ['code'],
      ['table', 'list', 'quote'],
    ]);
    expect(blocks).toEqual([
      {
        type: 'paragraph',
        text: '前言。',
        meta: { refer_line: 1, source: 'guide.md', token_count: 3 },
        loc: { paragraph: 1, lines: { from: 1, to: 1 }, offset: 0 },
      },
    ]);
    const code = sections[1]!.blocks[0]!;
    expect(code).toMatchObject({
      text: '```nginx\nserver {}\n```',
      meta: { lang: 'nginx', refer_line: 9 },
      loc: { lines: { from: 9, to: 11 } },
    });
    expect(text.slice(code.loc.offset, code.loc.offset! + code.text.length)).toBe(code.text);
    expect(sections[0]!.summary).toBe('段落。');
    expect(text.slice(sections[1]!.start_position, sections[1]!.end_position).startsWith('## Nginx')).toBe(
      true,
    );
  });

  it('S4.1 sections with one path have different ids, and keep them', () => {
    const text = '# A\n\nx\n\n# A\n\ny\n';
    const ids = chunk(text).sections.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(chunk(text).sections.map(({ id }) => id)).toEqual(ids);
  });
});

describe('hierarchical', () => {
  it('S4.3 long Chinese sections become chunks of 400 to 1200 with 10 to 20 % overlap, cut at sentences', () => {
    const text = `# 手册\n\n## 长节\n\n${Array.from({ length: 300 }, (_, n) => `第${n}句说明了系统里的第${n * 7}个部件怎样工作。`).join('')}\n`;
    const { chunks } = chunk(text);
    expect(chunks.length).toBeGreaterThan(4);
    chunks.forEach(({ content, start_position }, index) => {
      expect(content.length).toBeLessThanOrEqual(1200);
      expect(content.length).toBeGreaterThanOrEqual(400);
      expect(content.endsWith('。')).toBe(true);
      const before = chunks[index - 1];
      if (before === undefined) return;
      const part = (before.end_position - start_position) / before.content.length;
      expect(part).toBeGreaterThan(0.07);
      expect(part).toBeLessThan(0.24);
    });
  });

  it('S4.3 code, tables and FAQ entries with enough text are chunks of their own', () => {
    const code =
      `\`\`\`nginx\n${Array.from({ length: 30 }, (_, n) => `location /path${n} { proxy_pass http://b${n}; }`).join('\n')}\n\`\`\``.slice(
        0,
        1100,
      );
    const fenced = `${code.slice(0, code.lastIndexOf('\n'))}\n\`\`\``;
    const table =
      `| name | meaning |\n|---|---|\n${Array.from({ length: 18 }, (_, n) => `| key${n} | ${sentence(n).trim()} |`).join('\n')}`.slice(
        0,
        1190,
      );
    const text = `# Guide\n\n## Proxy\n\n${prose(0, 9)}\n\n${fenced}\n\n${prose(20, 9)}\n\n${table}\n\n### How do I restart?\n\n${prose(40, 2)}\n\n### 怎样停止？\n\n${prose(50, 2)}\n`;
    const { chunks } = chunk(text);
    const types = chunks.map(({ content_type }) => content_type);
    expect(types).toEqual(['text', 'code', 'text', 'table', 'faq', 'faq']);
    expect(chunks[1]).toMatchObject({
      content: fenced,
      source_hint: '[Code] nginx snippet',
      title_path: ['Guide', 'Proxy'],
    });
    expect(chunks[3]!.content).toBe(table);
    expect(chunks[4]).toMatchObject({ title: 'How do I restart?', source_hint: '[FAQ] How do I restart?' });
    expect(chunks[5]!.title).toBe('怎样停止？');
  });

  it('S4.3 questions and answers by mark (Q:/A:, 问：/答：) are entries too', () => {
    const entry = (n: number) => `**Q: What is thing ${n}?**\n\nA: ${prose(n * 10, 3)}`;
    const zh = (n: number) => `问：第${n}个东西是什么？\n答：${'它是一个部件。'.repeat(12)}`;
    const { chunks } = chunk(
      `# FAQ\n\n${prose(500, 10)}\n\n${[entry(1), entry(2), zh(3), zh(4)].join('\n\n')}\n`,
    );
    expect(chunks.map(({ content_type }) => content_type)).toEqual(['text', 'faq', 'faq', 'faq', 'faq']);
    expect(chunks[2]!.content).toBe(entry(2));
  });

  it('S4.3 small code and tables stay with the text around them', () => {
    const text = `# T\n\n${prose(0, 4)}\n\n\`\`\`sh\nls\n\`\`\`\n\n${prose(10, 4)}\n\n| a |\n|---|\n| 1 |\n`;
    expect(chunk(text).chunks).toHaveLength(1);
  });

  it('S4.3 a table too long is cut between rows, and each part repeats its header in what is indexed only', () => {
    const rows = Array.from({ length: 80 }, (_, n) => `| key${n} | ${sentence(n).trim()} |`);
    const { chunks } = chunk(`# T\n\n| name | meaning |\n|---|---|\n${rows.join('\n')}\n`);
    expect(chunks.length).toBeGreaterThan(3);
    for (const { content, metadata, content_type } of chunks.slice(1)) {
      expect(content_type).toBe('table');
      expect(content).toMatch(/^\| key\d+ \|/);
      expect(content.endsWith('|')).toBe(true);
      expect(metadata.table_header).toBe('| name | meaning |\n|---|---|');
      expect(indexedBody({ content, metadata }).startsWith('| name | meaning |\n|---|---|\n| key')).toBe(
        true,
      );
    }
    expect(chunks[0]!.metadata).toEqual({});
    expect(chunks.flatMap(({ content }) => content.match(/key\d+/g)).length).toBe(80);
  });

  it('S4.3 code too long is cut between lines', () => {
    const lines = Array.from({ length: 120 }, (_, n) => `  call_number_${n}(argument_${n});`);
    const { chunks } = chunk(`# T\n\n\`\`\`js\n${lines.join('\n')}\n\`\`\`\n`);
    expect(chunks.length).toBeGreaterThan(2);
    for (const { content } of chunks)
      for (const line of content.split('\n').slice(1, -1)) expect(line).toMatch(/^ {2}call_number|^```|^$/);
  });

  it('S4.3 the prefix [TitlePath] and [SectionHint] is in what is embedded, never in content', () => {
    const { chunks } = chunk(`# 部署\n\n## Nginx\n\n${prose(0, 10)}\n`);
    for (const one of chunks) expect(one.content).not.toContain('[TitlePath]');
    expect(indexedPrefix(chunks.at(-1)!)).toBe('[TitlePath] 部署 > Nginx\n');
  });

  it('S4.3 a heading with nothing under it travels with the text below; at the end it is not lost', () => {
    const { chunks } = chunk(
      `# T\n\n${prose(0, 10)}\n\n## Empty\n\n## Full\n\n${prose(20, 10)}\n\n## Last\n`,
    );
    expect(chunks.map(({ title }) => title)).toEqual(['T', 'Full', 'Last']);
    expect(chunks[1]!.content.startsWith('## Empty\n\n## Full')).toBe(true);
    expect(chunks[2]!.content).toBe('## Last');
  });

  it('S4.3 a section has chunks of its own however short it is, labelled with its path', () => {
    const text =
      '# 部署\n\n先准备服务器。\n\n## Nginx\n\n安装 Nginx 并打开端口。\n\n### CORS\n\n允许的来源写在 `add_header` 里。\n\n## 备份\n\n每天一次。\n';
    const { chunks, sections } = chunk(text);
    expect(chunks.map(({ title_path }) => title_path)).toEqual([
      ['部署'],
      ['部署', 'Nginx'],
      ['部署', 'Nginx', 'CORS'],
      ['部署', '备份'],
    ]);
    expect(chunks.map(({ section_id }) => section_id)).toEqual(sections.map(({ id }) => id));
  });

  it('S4.3 each question with its answer is an entry, also the first, also line by line', () => {
    const pairs = [1, 2, 3, 4, 5, 6].map((n) => `问：第${n}个问题？\n答：第${n}个回答。`);
    for (const gap of ['\n\n', '\n']) {
      const { chunks } = chunk(`# 常见问题\n\n${pairs.join(gap)}\n`);
      expect(chunks.map(({ content_type }) => content_type)).toEqual(Array(6).fill('faq'));
      expect(chunks.map(({ content }) => content.replace('# 常见问题\n\n', ''))).toEqual(pairs);
    }
    const inline = chunk('Some words.\n\n- Q: One? A: First.\n- Q: Two? A: Second.\n').chunks;
    expect(inline.map(({ content }) => content)).toEqual([
      'Some words.',
      '- Q: One? A: First.',
      '- Q: Two? A: Second.',
    ]);
  });

  it('S4.3 a question nobody answers is no entry', () => {
    expect(
      chunk('# T\n\nQ: what is this\n\nSome text.\n').chunks.map(({ content_type }) => content_type),
    ).toEqual(['text']);
  });

  it('S4.3 code or a table that must be cut shares no chunk with prose, in every strategy with a maximum', () => {
    const lines = Array.from({ length: 60 }, (_, n) => `call_number_${n}(argument_${n});`).join('\n');
    for (const strategy of ['hierarchical', 'content']) {
      const { chunks } = chunk(`# T\n\nBefore it.\n\n\`\`\`js\n${lines}\n\`\`\`\n\nAfter it.\n`, {
        strategy,
      });
      const types = chunks.map(({ content_types }) => content_types.join());
      expect(types).toEqual(['text', ...Array(chunks.length - 2).fill('code'), 'text']);
      expect(chunks.length).toBeGreaterThan(3);
    }
  });

  it('S4.3 a chunk knows all types it holds, the main one first', () => {
    const { chunks } = chunk(
      '# T\n\n## 端口\n\n数据库的端口如下，请记住。\n\n| 名称 | 端口 |\n|---|---|\n| pg | 5432 |\n\n## Why?\n\n- a list\n',
    );
    expect(chunks.map(({ content_type, content_types }) => [content_type, content_types])).toEqual([
      ['table', ['table', 'text']],
      ['faq', ['faq', 'list']],
    ]);
  });

  it('comments and front matter are never indexed, neither begin nor end a chunk, and give no chunk of their own', () => {
    const { chunks } = chunk(
      '---\ntitle: x\n---\n\n<!-- start -->\n\n正文一。<!-- inside -->正文二。\n\n<!-- end -->\n',
    );
    expect(chunks).toHaveLength(1);
    expect(chunks[0]!.content).toBe('正文一。<!-- inside -->正文二。');
    expect(indexedBody(chunks[0]!)).not.toContain('inside');
    expect(chunks[0]!.summary).not.toContain('inside');
    expect(chunk('---\ntitle: x\n---\n\n<!-- only -->\n').chunks).toEqual([]);
  });

  it('S4.4 the same text twice is stored twice, each with a hash of its own', () => {
    const { chunks } = chunk(`# A\n\n${prose(0, 9)}\n\n# A\n\n${prose(0, 9)}\n`);
    expect(chunks).toHaveLength(2);
    expect(chunks[0]!.hash).toBe(chunks[1]!.hash);
    expect(chunks[0]!.chunk_hash).not.toBe(chunks[1]!.chunk_hash);
    expect(chunks[0]!.id).not.toBe(chunks[1]!.id);
  });

  it('pages are those of the tree', () => {
    const text = `${prose(0, 10)}\n\n${prose(20, 10)}\n`;
    const tree = { ...textTree(text), pages: [0, text.indexOf('Sentence number 20')] };
    const request = { doc_id: DOC, title: 'T', source: 's', settings: chunkSettings({ max: 5000 }) };
    expect(chunkDocument(tree, request).chunks[0]!.loc).toMatchObject({ page: 1, page_end: 2 });
  });
});

describe('short documents', () => {
  const short = `# T\n\n${'x'.repeat(60)}\n\n## A\n\n${'y'.repeat(60)}\n\n\`\`\`\ncode\n\`\`\`\n`;

  it('S2.8 S2.3 are one chunk of `content`, with the same logic for every format', () => {
    for (const tree of [markdownStructure(short), textTree(short)]) {
      const settings = chunkSettings({ strategy: 'content' });
      const { chunks } = chunkDocument(tree, { doc_id: DOC, title: 'T', source: 's', settings });
      expect(chunks.map(({ content }) => content)).toEqual([short.trim()]);
    }
  });

  it('S2.3 the heading of a chunk of `content` is the first that it holds', () => {
    expect(chunk(short, { strategy: 'content' }).chunks.map(({ title }) => title)).toEqual(['T']);
    const before = chunk(`Some words.\n\n## A\n\n${prose(0, 4)}\n`, { strategy: 'content' });
    expect(before.chunks.map(({ title }) => title)).toEqual(['A']);
  });

  it('S2.3 sections of `content` below the minimum join the next one, others stand alone', () => {
    const { chunks } = chunk(
      `# T\n\n${prose(0, 3)}\n\n## Small\n\nfew words\n\n## Large\n\n${prose(20, 8)}\n\n## End\n\nbye\n`,
      { strategy: 'content' },
    );
    expect(chunks.map(({ title }) => title)).toEqual(['T', 'Small']);
    expect(chunks[1]!.content).toContain('## Large');
    expect(chunks[1]!.content.endsWith('bye')).toBe(true);
  });
});
