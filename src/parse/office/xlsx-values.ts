import type { XmlHandler } from './xml.js';

/** How a workbook's cells become text: shared strings, and numbers that are dates or percentages by their style. */

/** Reads `sharedStrings.xml` into `strings`. Phonetic guides (`rPh`) are no part of the text. */
export function sharedStrings(strings: string[]): XmlHandler {
  let text: string | undefined;
  let phonetic = 0;
  let inText = false;
  return {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') phonetic += 1;
      else if (name === 't') inText = phonetic === 0;
    },
    text(data) {
      if (inText && text !== undefined) text += data;
    },
    close(name) {
      if (name === 'si') {
        strings.push(text ?? '');
        text = undefined;
      } else if (name === 'rPh') phonetic -= 1;
      else if (name === 't') inText = false;
    },
  };
}

export type NumberKind = 'number' | 'date' | 'time' | 'percent';

/** Reads `styles.xml`: the kind of number each cell style shows. */
export function numberStyles(kinds: NumberKind[]): XmlHandler {
  const formats = new Map<number, string>();
  let inCells = false;
  return {
    open(name, attributes) {
      if (name === 'numFmt') formats.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
      else if (name === 'cellXfs') inCells = true;
      else if (name === 'xf' && inCells) {
        const id = Number(attributes.numFmtId ?? 0);
        kinds.push(builtInKind(id) ?? customKind(formats.get(id) ?? ''));
      }
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  };
}

/** ECMA-376 18.8.30: 14–17 and 22 are dates, 18–21 and 45–47 times, 27–36 and 50–58 dates in East Asian locales. */
function builtInKind(id: number): NumberKind | undefined {
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return 'date';
  if ((id >= 18 && id <= 21) || (id >= 45 && id <= 47)) return 'time';
  if (id === 9 || id === 10) return 'percent';
  return id > 0 && id < 164 ? 'number' : undefined;
}

function customKind(code: string): NumberKind {
  const plain = code.replace(/"[^"]*"|\\.|\[[^\][]*\]|_./g, '').split(';')[0]!;
  if (/[yd]/i.test(plain) || (/m/i.test(plain) && !/[hs]/i.test(plain))) return 'date';
  if (/[hs]/i.test(plain)) return 'time';
  return plain.includes('%') ? 'percent' : 'number';
}

/** A number as a person reads it in the sheet; what is no number stays as it is. */
export function numberText(value: string, kind: NumberKind, date1904: boolean): string {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) return value;
  if (kind === 'percent') return `${shortNumber(number * 100)}%`;
  if (kind === 'number') return shortNumber(number);
  return dateText(number + (date1904 ? 1462 : 0), kind) ?? shortNumber(number);
}

/** Binary fractions show their noise after 15 digits: 0.30000000000000004 is 0.3 in the sheet. */
const shortNumber = (number: number): string => String(Number(number.toPrecision(15)));

const DAY = 86_400_000;
/** Day 0 of the 1900 system, with Excel's 29 February 1900 counted in for all days after it. */
const EPOCH = Date.UTC(1899, 11, 30);

function dateText(serial: number, kind: NumberKind): string | undefined {
  if (serial < 0 || serial > 2_958_466) return undefined;
  const seconds = Math.round((serial % 1) * 86_400);
  const iso = new Date(EPOCH + Math.floor(serial) * DAY + seconds * 1_000).toISOString();
  const clock = iso.slice(11, 19).replace(/:00$/, '');
  if (kind === 'time' && serial < 1) return clock;
  return seconds === 0 ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${clock}`;
}
