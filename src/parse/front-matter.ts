import type { Json, JsonObject } from '../model/json.js';

/** What stands between `---` (YAML) or `+++` (TOML) lines at the very start of a file. */
export interface FrontMatter {
  readonly kind: 'yaml' | 'toml';
  readonly value: string;
  /** The offset after the closing line's mark. */
  readonly end: number;
}

const OPENING = /^(---|\+\+\+)[ \t]*\n/;

export function frontMatter(text: string): FrontMatter | null {
  const opening = OPENING.exec(text);
  if (opening === null) return null;
  const mark = opening[1]!;
  const from = opening[0].length;
  for (let at = from; ; ) {
    let end = text.indexOf('\n', at);
    if (end < 0) end = text.length;
    if (text.startsWith(mark, at) && /^[ \t]*$/.test(text.slice(at + 3, end))) {
      return { kind: mark === '---' ? 'yaml' : 'toml', value: text.slice(from, at), end: at + 3 };
    }
    if (end >= text.length) return null;
    at = end + 1;
  }
}

/**
 * The fields of front matter. Most pages have a few plain `key: value` lines and short lists; those are read here,
 * since the YAML library takes longer than all the rest of the page. Whatever is not plain goes to the library.
 */
export async function readFrontMatter({ kind, value }: FrontMatter): Promise<JsonObject> {
  const plain = kind === 'yaml' ? plainYaml(value) : plainToml(value);
  if (plain !== null || kind === 'toml') return plain ?? {};
  const { parse } = await import('yaml');
  const read: unknown = parse(value, { logLevel: 'silent' });
  return isObject(read) ? (asJson(read) as JsonObject) : {};
}

const YAML_LINE = /^([A-Za-z_][\w-]*):(?:[ \t]+(.*?))?[ \t]*$/;
const YAML_ITEM = /^[ \t]*-[ \t]+(.*?)[ \t]*$/;

function plainYaml(value: string): JsonObject | null {
  const fields: Record<string, Json> = {};
  let list: Json[] | null = null;
  let key = '';
  for (const line of value.split('\n')) {
    if (line === '' || /^[ \t]*(?:#.*)?$/.test(line)) continue;
    const pair = YAML_LINE.exec(line);
    if (pair !== null) {
      key = pair[1]!;
      if (Object.hasOwn(fields, key)) return null;
      list = null;
      const scalar = pair[2] === undefined ? null : yamlScalar(pair[2]);
      if (scalar === undefined) return null;
      fields[key] = scalar;
      continue;
    }
    const item = YAML_ITEM.exec(line);
    const scalar = item === null || key === '' ? undefined : yamlScalar(item[1]!);
    if (scalar === undefined) return null;
    if (list === null) {
      if (fields[key] !== null) return null;
      list = [];
      fields[key] = list;
    }
    list.push(scalar);
  }
  return fields;
}

/** A scalar that YAML's core schema reads the same way, or undefined. */
function yamlScalar(written: string): Json | undefined {
  if (/^[A-Za-z\u0080-\uffff](?:[^:#]|:(?=\S)|\S#)*$/.test(written)) {
    if (/^(?:null|Null|NULL|true|True|TRUE|false|False|FALSE)$/.test(written)) {
      return written[0]!.toLowerCase() === 'n' ? null : written[0]!.toLowerCase() === 't';
    }
    return written.endsWith(':') ? undefined : written;
  }
  if (/^(?:0|[1-9]\d{0,14})$/.test(written)) return Number(written);
  const quoted = /^"([^"\\]*)"$/.exec(written) ?? /^'([^']*)'$/.exec(written);
  return quoted === null ? undefined : quoted[1]!;
}

/** Top-level `key = value` lines of TOML with plain strings, numbers, booleans and lists of strings; tables are left out. */
function plainToml(value: string): JsonObject {
  const fields: Record<string, Json> = {};
  for (const line of value.split('\n')) {
    if (/^[ \t]*\[/.test(line)) break;
    const pair = /^[ \t]*([\w-]+)[ \t]*=[ \t]*(.*?)[ \t]*$/.exec(line);
    if (pair === null) continue;
    const scalar = tomlValue(pair[2]!);
    if (scalar !== undefined) fields[pair[1]!] = scalar;
  }
  return fields;
}

function tomlValue(written: string): Json | undefined {
  if (/^\[.*\]$/.test(written)) {
    const items = written.slice(1, -1).match(/"[^"\\]*"|'[^']*'/g) ?? [];
    return items.map((item) => item.slice(1, -1));
  }
  const quoted = /^"([^"\\]*)"/.exec(written) ?? /^'([^']*)'/.exec(written);
  if (quoted !== null) return quoted[1]!;
  const bare = written.replace(/[ \t]*#.*$/, '');
  if (bare === 'true' || bare === 'false') return bare === 'true';
  return /^[+-]?\d+(?:\.\d+)?$/.test(bare) ? Number(bare) : bare === '' ? undefined : bare;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a YAML library may give beyond JSON (dates, maps, bigints, NaN) becomes text. */
function asJson(value: unknown): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (Array.isArray(value)) return value.map(asJson);
  if (value instanceof Date) return value.toISOString();
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, asJson(held)]));
  return String(value);
}
