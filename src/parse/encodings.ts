/**
 * Which older encoding are these bytes in? Each candidate reads a sample; the reading is scored by how much it looks
 * like writing: frequent characters of the language count for it, replacement marks, rare and private characters
 * against it. (Byte statistics alone cannot tell GB18030, Big5, EUC-KR and EUC-JP apart: they share their ranges.)
 */
const SIMPLIFIED =
  '的一是不了人我在有他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石若兵弟谁校读志飞观争究包组造落视济喜离虽坏';
const TRADITIONAL =
  '這個們來說時為國對會過學後麼沒還發當開經頭動兩長現將與進實點種聲話兒問機給幾業間電門東聽氣關內產軍眼體別處總場師書員報馬張難數應車親務記邊風戰幹許覺題統請愛讓認論義術結連遠資隊帶條變聯權該領傳紅決達辦運轉眾輕語滿寫識極黃錢黨設雙歷響單據導網專誰讀飛觀爭組濟視離雖壞台灣臺灣臺妳啦喔';
const COMMON_HAN = new Set([...SIMPLIFIED, ...TRADITIONAL].map((character) => character.charCodeAt(0)));
/** What half of all Korean text is made of. */
const COMMON_HANGUL = new Set(
  [
    ...'이다의는에가을고하지로사은도한기자아리어를니서해나정시인일그스대수게있들라전부과마보주구제면오만었동소장세안여상조원성공비우트신연위화아',
  ].map((character) => character.charCodeAt(0)),
);

/** What windows-1252 has at 0x80–0x9f. Node's decoder reads these bytes as control characters (v20.20). */
const WESTERN = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Bytes in a named encoding, with U+FFFD for what is wrong in them. */
export function decodeAs(encoding: string, bytes: Uint8Array): string {
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  if (encoding !== 'windows-1252') return text;
  return text.replace(/[\u0080-\u009f]/g, (control) => WESTERN[control.charCodeAt(0) - 0x80]!);
}

const CANDIDATES = [
  'gb18030',
  'big5',
  'euc-kr',
  'shift_jis',
  'euc-jp',
  'koi8-r',
  'windows-1251',
  'windows-1252',
] as const;

const SAMPLE = 1 << 17;

/** The best candidate, or null where every reading looks wrong. */
export function guessEncoding(bytes: Uint8Array): string | null {
  const sample = bytes.length > SAMPLE ? bytes.subarray(0, sampleEnd(bytes)) : bytes;
  let best: string | null = null;
  let bestScore = 0;
  for (const encoding of CANDIDATES) {
    const score = likeness(decodeAs(encoding, sample), encoding);
    if (score > bestScore) {
      best = encoding;
      bestScore = score;
    }
  }
  return best ?? (mostlyAscii(sample) ? 'windows-1252' : null);
}

/** Western text has few letters beyond ASCII, whatever they look like. */
function mostlyAscii(bytes: Uint8Array): boolean {
  let beyond = 0;
  for (const byte of bytes) if (byte >= 0x80) beyond++;
  return beyond < bytes.length / 5;
}

/** After an ASCII byte, so that no character is cut in two. */
function sampleEnd(bytes: Uint8Array): number {
  let end = SAMPLE;
  while (end > SAMPLE - 64 && bytes[end - 1]! >= 0x40) end--;
  return end;
}

/** The mean score of the characters beyond ASCII, about -5 to 1. */
function likeness(text: string, encoding: (typeof CANDIDATES)[number]): number {
  let score = 0;
  let count = 0;
  let before = 32;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 128) {
      count++;
      score += characterScore(code, before, text.charCodeAt(at + 1), encoding);
    }
    before = code;
  }
  return count === 0 ? 0 : score / count;
}

function characterScore(code: number, before: number, after: number, encoding: string): number {
  if (code === 0xfffd) return -8;
  if (code >= 0x4e00 && code <= 0x9fff) return COMMON_HAN.has(code) ? 1 : 0.15;
  if (code >= 0xac00 && code <= 0xd7a3) return COMMON_HANGUL.has(code) ? 1 : 0.3;
  if (code >= 0x3041 && code <= 0x30ff) return /jp|jis/.test(encoding) ? 0.9 : 0.2;
  if (code >= 0x3000 && code <= 0x303f) return 0.6;
  if (code >= 0xff01 && code <= 0xff5e) return 0.4;
  if (code >= 0xff61 && code <= 0xff9f) return -0.5;
  if (code >= 0xe000 && code <= 0xf8ff) return -3;
  if (code >= 0x80 && code <= 0x9f) return -3;
  if (code >= 0x400 && code <= 0x45f) return cyrillicScore(code, before, after);
  if (code >= 0xa0 && code <= 0x24f) return latinScore(code, before, after);
  if (code >= 0x2010 && code <= 0x203a) return 0.3;
  if (code >= 0xd800 && code <= 0xdfff) return -0.5;
  return code >= 0x2500 && code <= 0x25ff ? -0.5 : 0;
}

/**
 * Russian is mostly lower case, and a capital seldom follows a small letter: KOI8-R read as windows-1251 swaps the cases.
 * No word mixes Cyrillic with ASCII letters: that is Western text read wrongly.
 */
function cyrillicScore(code: number, before: number, after: number): number {
  if (isAsciiLetter(before) || isAsciiLetter(after)) return -0.6;
  if (!isCyrillic(before) && !isCyrillic(after)) return -0.1;
  const small = (code >= 0x430 && code <= 0x44f) || code === 0x451;
  if (small) return 0.8;
  return before >= 0x430 && before <= 0x44f ? -1 : 0.2;
}

const isCyrillic = (code: number): boolean => code >= 0x400 && code <= 0x45f;
const isAsciiLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122;

/** Western text has single accented letters between plain ones; two in a row are rare. */
function latinScore(code: number, before: number, after: number): number {
  if (code < 0xc0) return before < 128 && !(after >= 0x80) ? 0.25 : -0.5;
  const single = before < 128 && !(after >= 0x80);
  return single ? (code >= 0xdf ? 0.6 : 0.3) : -0.6;
}
