import { partsOfText } from '../../text/parts.js';

/**
 * A passage as its parts, for a model that reads them one by one: a question asks for one of a passage's sentences,
 * and in the vector of a whole passage that sentence is one of ten (docs/decisions/hybrid.md has the figures). Each part
 * keeps the titles in front, so that it is known what it speaks of.
 */
export function partsOf(text: string): readonly string[] {
  const prefix = TITLES.exec(text)?.[0] ?? '';
  const body = text.slice(prefix.length);
  const parts = partsOfText(body);
  return parts.length < 2 ? [text] : parts.map(([start, end]) => prefix + body.slice(start, end));
}

/** Our own lines in front of what is embedded (model/indexed.ts). */
const TITLES = /^(?:\[(?:TitlePath|SectionHint)\][^\n]*\n)*/;
