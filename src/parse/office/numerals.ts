/** Numbers as Word's numbering formats write them (ECMA-376 17.18.59); what is not known here is written in digits. */
export function numeral(value: number, format: string): string {
  switch (format) {
    case 'decimalZero':
      return String(value).padStart(2, '0');
    case 'upperRoman':
      return roman(value);
    case 'lowerRoman':
      return roman(value).toLowerCase();
    case 'upperLetter':
      return letters(value);
    case 'lowerLetter':
      return letters(value).toLowerCase();
    case 'chineseCounting':
    case 'chineseCountingThousand':
    case 'japaneseCounting':
    case 'taiwaneseCounting':
    case 'taiwaneseCountingThousand':
    case 'ideographDigital':
    case 'japaneseDigitalTenThousand':
      return chinese(value);
    case 'ideographTraditional':
      return value >= 1 && value <= 10 ? STEMS[value - 1]! : String(value);
    case 'decimalEnclosedCircle':
    case 'decimalEnclosedCircleChinese':
      return value >= 1 && value <= 20 ? String.fromCodePoint(0x245f + value) : String(value);
    default:
      return String(value);
  }
}

const STEMS = [...'甲乙丙丁戊己庚辛壬癸'];
const DIGITS = [...'零一二三四五六七八九'];
const UNITS = ['', '十', '百', '千'];

/** 十二, 一百零五: up to 9,999. */
function chinese(value: number): string {
  if (value < 0 || value > 9_999) return String(value);
  if (value < 10) return DIGITS[value]!;
  const digits = [...String(value)].map(Number);
  const written = digits
    .map((digit, at) => (digit === 0 ? '零' : `${DIGITS[digit]}${UNITS[digits.length - 1 - at]}`))
    .join('')
    .replace(/零+/g, '零')
    .replace(/零$/, '');
  return value < 20 ? written.slice(1) : written;
}

const ROMAN = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
] as const;

function roman(value: number): string {
  if (value < 1 || value > 3_999) return String(value);
  let left = value;
  let written = '';
  for (const [worth, sign] of ROMAN) {
    while (left >= worth) {
      written += sign;
      left -= worth;
    }
  }
  return written;
}

/** A … Z, AA, BB, …: Word repeats the letter. */
function letters(value: number): string {
  if (value < 1 || value > 780) return String(value);
  return String.fromCharCode(65 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));
}
