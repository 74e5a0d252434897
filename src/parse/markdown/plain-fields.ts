import type { Json, JsonObject } from '../../model/json/json.js';

/**
 * Front matter as most people write it, `key: some words` on each line, read without a YAML parser: loading that and
 * building its trees took 180 of the 290 ms in which a new process first cuts 450 pages. Whatever is not plainly the same
 * in YAML (quotes with escapes, deeper nesting, anchors, dates) is not read here: the answer is null, and the parser's.
 */

const FIELD = /^([A-Za-z_][\w-]{0,63}):(?: +(.*))?$/;
/** A word that YAML 1.1 or 1.2 takes for something else than text. */
const RESERVED = /^(?:null|true|false|yes|no|on|off|y|n|nan|inf)$/i;
const NUMBER = /^(?:0|[1-9]\d{0,14}|(?:0|[1-9]\d{0,6})\.\d{1,6})$/;
/** Starts like a number and is none, where it has a letter that no form of a number has. */
const CODE = /^(?!0[xob])\d[\da-zA-Z.-]*$/;
const LETTER = /[a-df-zA-DF-Z]/;
/** A line of text that starts with something. */
const PRINTED =
  /^[^\0- \u007f-\u00a0\u2028\u2029\ufeff](?:[^\0-\u001f\u007f-\u009f\u2028\u2029\ufeff]*[^\0- \u007f-\u00a0\u2028\u2029\ufeff])?$/;
/** Text that starts with a letter and holds nothing with a meaning in YAML. Control characters and rare line ends are left out. */
const PLAIN =
  /^(?:[A-Za-z]|[^\0-\u00bf\u2028\u2029\ud800-\udfff\ufeff])(?:(?!: |:$| #)[^\0-\u001f\u007f-\u00a0\u2028\u2029\ufeff])*$/;
const QUOTED =
  /^(?:"([^"\\\0-\u001f\u007f-\u009f\u2028\u2029\ufeff]*)"|'([^'\0-\u001f\u007f-\u009f\u2028\u2029\ufeff]*)')$/;

/** The fields, or null where YAML might mean more by it. */
export function plainFields(value: string): JsonObject | null {
  if (value.includes('\t') || value.includes('\r') || value.includes('__proto__')) return null;
  const lines = value.split('\n');
  const fields = new Map<string, Json>();
  for (let at = 0; at < lines.length; ) {
    const line = withoutEnd(lines[at++]!);
    if (isNothing(line)) continue;
    const [, key, written = ''] = FIELD.exec(line) ?? [];
    if (key === undefined || fields.has(key) || RESERVED.test(key)) return null;
    const from = at;
    while (at < lines.length && (isNothing(lines[at]!) || /^[ -]/.test(lines[at]!))) at++;
    while (at > from && isNothing(withoutEnd(lines[at - 1]!))) at--;
    const held = at > from ? below(lines.slice(from, at), written) : written === '' ? null : scalar(written);
    if (held === undefined) return null;
    fields.set(key, held);
  }
  return Object.fromEntries(fields);
}

/** What stands below a field: a list of scalars, further fields with scalars, or lines of text. */
function below(written: readonly string[], beside: string): Json | undefined {
  if (/^[>|]-?$/.test(beside)) return textOf(written, beside);
  if (beside !== '') return undefined;
  const lines = written.map(withoutEnd).filter((line) => !isNothing(line));
  const indent = indentOf(lines[0]!);
  const own = lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : ''));
  if (own[0]!.startsWith('-')) {
    const items = own.map((line) => (line.startsWith('- ') ? scalar(line.replace(/^- +/, '')) : undefined));
    return items.includes(undefined) ? undefined : (items as Json[]);
  }
  if (indent === '') return undefined;
  const fields = new Map<string, Json>();
  for (const line of own) {
    const [, key, value = ''] = FIELD.exec(line) ?? [];
    const held = key === undefined || fields.has(key) || RESERVED.test(key) ? undefined : scalar(value);
    if (held === undefined) return undefined;
    fields.set(key!, held);
  }
  return Object.fromEntries(fields);
}

/** `>` and `|` with lines of one indent and none empty: joined by spaces or as they are, with a line's end unless `-`. */
function textOf(lines: readonly string[], mark: string): string | undefined {
  const indent = indentOf(lines[0]!);
  const own = lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : ''));
  if (indent === '' || own.some((line) => !PRINTED.test(line))) return undefined;
  return own.join(mark.startsWith('>') ? ' ' : '\n') + (mark.endsWith('-') ? '' : '\n');
}

const indentOf = (line: string): string => /^ */.exec(line)![0];
const isNothing = (line: string): boolean => line === '' || line.startsWith('#');

/** Without spaces at its end. Other white space is text to YAML. */
function withoutEnd(line: string): string {
  let end = line.length;
  while (end > 0 && line.charCodeAt(end - 1) === 0x20) end--;
  return line.slice(0, end);
}

function scalar(written: string): Json | undefined {
  const quoted = QUOTED.exec(written);
  if (quoted !== null) return quoted[1] ?? quoted[2]!;
  if (NUMBER.test(written)) return Number(written);
  if (written === 'true' || written === 'false') return written === 'true';
  if (CODE.test(written) && LETTER.test(written)) return written;
  return PLAIN.test(written) && !RESERVED.test(written) ? written : undefined;
}
