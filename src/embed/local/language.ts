/** Han characters (with their extensions) and kana: what the Chinese model reads one character a token. */
const CJK = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[\ud840-\ud884][\udc00-\udfff]/g;
/** With the punctuation that goes with them. */
const CJK_TEXT =
  /(?:[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]|[\ud840-\ud884][\udc00-\udfff])+/g;
const LETTER = /\p{L}/gu;

/** Which part of a text's letters are Chinese: 0 for English, 1 for Chinese, between for a mixture. */
export function cjkShare(text: string): number {
  const letters = text.match(LETTER)?.length ?? 0;
  return letters === 0 ? 0 : Math.min(1, (text.match(CJK)?.length ?? 0) / letters);
}

/** The words in other scripts: `在 nginx 中设置 CORS` → `nginx CORS`. Empty where there is no letter left. */
export function withoutCjk(text: string): string {
  const rest = text.replace(CJK_TEXT, ' ').replace(/\s+/g, ' ').trim();
  return /\p{L}/u.test(rest) ? rest : '';
}
