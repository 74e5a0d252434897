import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markdownStructure } from '../parse/markdown/markdown.js';
import { chunkDocument } from './chunk.js';
import { chunkSettings } from './settings.js';

/** Documents with long sections: paragraphs of prose in two languages, lists and code between them. */
const WORDS =
  'system cluster node value config policy index search token model vector record section chunk engine reader'.split(
    ' ',
  );
const HAN = [...'系统集群节点配置策略索引检索模型向量记录章节引擎读者文档内容结构更新'];

function paragraph(random: () => number): string {
  const kind = random();
  const sentences = Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
    const size = 4 + Math.floor(random() * 14);
    if (kind < 0.5)
      return `${Array.from({ length: size }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ')} ${Math.floor(random() * 1e4)}. `;
    return `${Array.from({ length: size * 2 }, () => HAN[Math.floor(random() * HAN.length)]).join('')}。`;
  });
  const text = sentences.join('').trim();
  if (kind > 0.92) return `\`\`\`\n${sentences.join('\n')}\n\`\`\``;
  return kind > 0.85 ? sentences.map((sentence) => `- ${sentence.trim()}`).join('\n') : text;
}

const paragraphs = (seed: number, count: number): string[] => {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return ((state ^ (state >>> 15)) >>> 0) / 2 ** 32;
  };
  return Array.from({ length: count }, (_, at) =>
    at % 25 === 24 ? `## Section ${at} ${Math.floor(random() * 1e6)}` : paragraph(random),
  );
};

const hashes = (parts: readonly string[], strategy: string): Set<string> => {
  const tree = markdownStructure(`# Title\n\n${parts.join('\n\n')}\n`);
  const { chunks } = chunkDocument(tree, {
    doc_id: 'd',
    title: 'T',
    source: 's',
    settings: chunkSettings({ strategy }),
  });
  return new Set(chunks.map(({ chunk_hash }) => chunk_hash));
};

const EDITS: readonly ((text: string, other: string) => string)[] = [
  (_, other) => other,
  (text) => `${text} One more sentence at the end.`,
  (text) => `Now first. ${text}`,
  (text) => `${text.slice(0, text.length >> 1)}x${text.slice(text.length >> 1)}`,
  (text, other) => `${text} ${other}`,
  (text) => text.slice(0, Math.max(1, text.length >> 1)),
];

describe.each(['hierarchical', 'content'])('edit locality of %s', (strategy) => {
  it('S4.4 changing one paragraph anywhere in a long document changes at most three chunks', () => {
    const changed: number[] = [];
    fc.assert(
      fc.property(fc.nat(1e6), fc.nat(1e6), fc.nat(1e6), (seed, place, other) => {
        const before = paragraphs(seed, 100);
        const at = place % before.length;
        const [more] = paragraphs(other + 1, 1);
        // A fence that is cut open would turn all that follows into code.
        if (/^(?:#|```)/.test(before[at]!) || more!.startsWith('```')) return;
        const edit = EDITS[other % EDITS.length]!;
        const after = before.with(at, edit(before[at]!, more!));
        const [old, now] = [hashes(before, strategy), hashes(after, strategy)];
        changed.push([...old].filter((hash) => !now.has(hash)).length);
      }),
      { numRuns: 400 },
    );
    // Where peaks are far apart (see select.ts), a fourth chunk moves in about one edit of four hundred.
    expect(changed.filter((count) => count > 3).length / changed.length).toBeLessThan(0.01);
    expect(Math.max(...changed)).toBeLessThanOrEqual(5);
  });

  it('S4.4 a paragraph more or less changes the chunks around it only', () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.nat(1e6), (seed, place) => {
        const before = paragraphs(seed, 100);
        const at = 1 + (place % 98);
        const old = hashes(before, strategy);
        const now = hashes(
          [...before.slice(0, at), 'A new paragraph of one sentence.', ...before.slice(at)],
          strategy,
        );
        expect([...old].filter((hash) => !now.has(hash)).length).toBeLessThanOrEqual(5);
      }),
      { numRuns: 100 },
    );
  });
});
