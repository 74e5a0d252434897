import { numeral } from './numerals.js';
import { readXml } from './xml.js';

/**
 * The numbers Word puts before paragraphs (`1.`, `(a)`, `第三条`) are in no paragraph's text: they are counted. Here they
 * are counted again, since a contract is cited by them; mammoth numbers every list that is interrupted from 1.
 */
export interface Numbering {
  /** The label of the next paragraph with this numbering, counted on; '' for bullets and what is unknown. */
  next(numId: string, level: number): string;
}

interface Level {
  start: number;
  format: string;
  text: string;
  isLegal: boolean;
}

interface List {
  readonly abstractId: string;
  readonly starts: ReadonlyMap<number, number>;
}

export async function readNumbering(xml: string | undefined, nesting: number): Promise<Numbering> {
  const levels = new Map<string, Map<number, Level>>();
  const lists = new Map<string, { abstractId: string; starts: Map<number, number> }>();
  let abstractId = '';
  let numId = '';
  let index = 0;
  let level: Level | undefined;
  if (xml !== undefined) {
    await readXml(xml, 'numbering.xml', nesting, {
      open(name, attributes) {
        const { val = '' } = attributes;
        if (name === 'abstractNum') {
          abstractId = attributes.abstractNumId ?? '';
          levels.set(abstractId, new Map());
        } else if (name === 'num') {
          numId = attributes.numId ?? '';
          lists.set(numId, { abstractId: '', starts: new Map() });
        } else if (name === 'abstractNumId') {
          const list = lists.get(numId);
          if (list) list.abstractId = val;
        } else if (name === 'lvlOverride') index = Number(attributes.ilvl) || 0;
        else if (name === 'startOverride') lists.get(numId)?.starts.set(index, Number(val) || 0);
        else if (name === 'lvl') {
          level = { start: 1, format: 'decimal', text: '', isLegal: false };
          if (numId === '') levels.get(abstractId)?.set(Number(attributes.ilvl) || 0, level);
        } else if (level === undefined) return;
        else if (name === 'start') level.start = Number(val) || 0;
        else if (name === 'numFmt') level.format = val;
        else if (name === 'lvlText') level.text = val;
        else if (name === 'isLgl') level.isLegal = val !== '0' && val !== 'false';
      },
      close(name) {
        if (name === 'lvl') level = undefined;
        if (name === 'num') numId = '';
      },
    });
  }
  return counter(levels, lists);
}

function counter(
  levels: ReadonlyMap<string, ReadonlyMap<number, Level>>,
  lists: ReadonlyMap<string, List>,
): Numbering {
  /** Lists of one abstract numbering count together, until one of them starts anew. */
  const counts = new Map<string, number[]>();
  const started = new Set<string>();
  return {
    next(numId, at) {
      const list = lists.get(numId);
      const own = list && levels.get(list.abstractId);
      const level = own?.get(at);
      if (list === undefined || own === undefined || level === undefined) return '';
      const count = counts.get(list.abstractId) ?? [];
      counts.set(list.abstractId, count);
      const startsAnew = !started.has(`${numId}/${at}`) ? list.starts.get(at) : undefined;
      started.add(`${numId}/${at}`);
      count[at] = startsAnew ?? (count[at] === undefined ? level.start : count[at] + 1);
      count.length = at + 1;
      if (level.format === 'bullet' || level.format === 'none') return '';
      return level.text.replace(/%(\d)/g, (_, digit: string) => {
        const upper = Number(digit) - 1;
        const shown = own.get(upper);
        const value = count[upper] ?? shown?.start ?? 1;
        return numeral(value, level.isLegal ? 'decimal' : (shown?.format ?? 'decimal'));
      });
    },
  };
}
