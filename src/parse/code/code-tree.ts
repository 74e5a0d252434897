import type { Tree, TreeBlock, TreeSection } from '../../model/tree.js';
import { lineCuts } from '../builder.js';

/** A function, a class, a large member of a YAML document: a part of a text that is kept as it is. */
export interface Declaration {
  readonly title: string;
  readonly start: number;
  readonly end: number;
  readonly inside: readonly Declaration[];
  readonly pointer?: string;
}

/** Sections from declarations, and blocks of all the text: what stands in a section but in none inside it is its own. */
export function codeTree(
  format: string,
  text: string,
  lang: string,
  found: readonly Declaration[],
  warning?: string,
): Tree {
  const sections: TreeSection[] = [];
  const blocks: TreeBlock[] = [];
  const add = (start: number, end: number, section: number, pointer: string | undefined): void => {
    const piece = text.slice(start, end);
    const from = start + (/^\s*\n/.exec(piece)?.[0].length ?? 0);
    const to = start + piece.trimEnd().length;
    if (to <= from) return;
    const cuts = lineCuts(text.slice(from, to)).map((cut) => from + cut);
    const extra = { ...(cuts.length > 0 ? { cuts } : {}), ...(pointer === undefined ? {} : { pointer }) };
    blocks.push({ type: 'code', start: from, end: to, section, lang, ...extra });
  };
  const place = (
    members: readonly Declaration[],
    start: number,
    end: number,
    parent: number,
    pointer: string | undefined,
  ): void => {
    let at = start;
    const level = Math.min(6, (sections[parent]?.level ?? 0) + 1);
    for (const member of members) {
      if (member.start < at || member.end > end) continue;
      add(at, member.start, parent, pointer);
      const index = sections.push({
        title: member.title,
        level,
        parent,
        heading: { start: member.start, end: member.start },
        span: { start: member.start, end: member.end },
      });
      place(level < 6 ? member.inside : [], member.start, member.end, index - 1, member.pointer);
      at = member.end;
    }
    add(at, end, parent, pointer);
  };
  place(found, 0, text.length, -1, format === 'yaml' ? '' : undefined);
  return {
    format,
    text,
    title: null,
    sections,
    blocks,
    excluded: [],
    pages: [],
    metadata: { language: lang },
    warnings: warning === undefined ? [] : [warning],
  };
}
