import { isObject, type Json, type JsonObject } from '../../model/json/json.js';
import { plainFields } from './plain-fields.js';

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

/** In characters. Longer front matter is data: it stays in the text, and its fields are not read. */
const LONGEST = 64_000;

/** The fields of front matter; rejects with the reason why they cannot be read. */
export async function readFrontMatter({ kind, value }: FrontMatter): Promise<JsonObject> {
  if (value.length > LONGEST) throw new Error(`longer than ${LONGEST} characters`);
  if (kind === 'toml') return plainToml(value);
  return plainFields(value) ?? readYaml(value);
}

async function readYaml(value: string): Promise<JsonObject> {
  const [{ parseDocument }, { YAML_OPTIONS, yamlProblem }] = await Promise.all([
    import('yaml'),
    import('../data/yaml.js'),
  ]);
  const document = parseDocument(value, YAML_OPTIONS);
  if (document.errors[0] !== undefined) throw new Error(yamlProblem(document.errors[0], value));
  const read: unknown = document.toJS();
  return isObject(read) ? (asJson(read) as JsonObject) : {};
}

/** Top-level `key = value` lines of TOML with plain strings, numbers, booleans and lists of strings; tables are left out. */
function plainToml(value: string): JsonObject {
  const fields: Record<string, Json> = {};
  for (const line of value.split('\n')) {
    if (/^[ \t]*\[/.test(line)) break;
    const pair = /^[ \t]*([\w-]+)[ \t]*=(.*)$/s.exec(line);
    if (pair === null) continue;
    const scalar = tomlValue(pair[2]!.trim());
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
  const bare = written.split('#', 1)[0]!.trimEnd();
  if (bare === 'true' || bare === 'false') return bare === 'true';
  return /^[+-]?\d+(?:\.\d+)?$/.test(bare) ? Number(bare) : bare === '' ? undefined : bare;
}

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
