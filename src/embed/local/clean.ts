/**
 * A text as a model should read it: without what a reader does not see. Link targets, HTML comments and
 * anchors, and invisible characters cost tokens and mean nothing; `<T>` in code stays.
 */
export function cleanForModel(text: string): string {
  return text
    .replace(/<!--(?:(?!<!--)[\s\S])*?-->/g, ' ')
    .replace(/<\/?(?:a|span|br|div|p|img|sup|sub|font)(?:\s[^<>]*)?\/?>/gi, ' ')
    .replace(/!?\[([^\][]*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+"[^"]*")?\)/g, '$1')
    .replace(/\{#[\w-]+\}/g, ' ')
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
    .replace(/[ \t]+/g, ' ')
    .trim();
}

/** The first `units` of a text, never half a character: services refuse a lone surrogate. */
export function firstUnits(text: string, units: number): string {
  const last = text.charCodeAt(units - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff && text.length > units ? units - 1 : units);
}
