import { StrataError } from '../../model/errors.js';
import type { Json } from '../../model/json/json.js';
import { escapeToken } from '../../model/json/pointer.js';

/** Deeper than any real file (23 levels in our largest); whatever walks or writes JSON may recurse this far. */
const DEEPEST = 500;

/** JSON of a caller: as one value, or one value per line (NDJSON), which is read as a list. */
export function readJson(text: string): Json {
  const whole = parsed(text);
  if ('value' in whole) return checkDepth(whole.value);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length > 1) {
    const values = lines.map(parsed);
    if (values.every((one) => 'value' in one)) return checkDepth(values.map(({ value }) => value));
  }
  throw new StrataError('CORRUPT', `is no JSON; correct it: ${whole.problem}`);
}

function parsed(text: string): { readonly value: Json } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    const message = (error as Error).message.replace(/\s+/g, ' ');
    const at = Number(/position (\d+)/.exec(message)?.[1] ?? Number.NaN);
    if (Number.isNaN(at)) return { problem: message.slice(0, 200) };
    const before = text.slice(0, at);
    const line = before.split('\n').length;
    const place = `line ${line}, column ${at - before.lastIndexOf('\n')}`;
    return { problem: `${message.replace(/ in JSON at position.*$/s, '').slice(0, 200)} (${place})` };
  }
}

/** Throws LIMIT. */
function checkDepth(value: Json): Json {
  let level: Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) throw new StrataError('LIMIT', `is nested more than ${DEEPEST} levels deep`);
    const next: Json[] = [];
    for (const one of level)
      if (typeof one === 'object' && one !== null)
        for (const inner of Object.values(one))
          if (typeof inner === 'object' && inner !== null) next.push(inner);
    level = next;
  }
  return value;
}

export interface JsonNode {
  readonly pointer: string;
  readonly value: Json;
  readonly key: string | number;
  readonly parent: Json | null;
}

/** Every node once, parents before children, in document order, without recursion; `visit` says what to carry along. */
export function walkJson<C>(document: Json, carried: C, visit: Visit<C>): void {
  const stack: (JsonNode & { readonly carried: C })[] = [
    { pointer: '', value: document, key: '', parent: null, carried },
  ];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const child = visit(node, node.carried);
    const { value, pointer } = node;
    if (child === null || typeof value !== 'object' || value === null) continue;
    const isList = Array.isArray(value);
    const entries: readonly (readonly [string | number, Json])[] = isList
      ? [...(value as readonly Json[]).entries()]
      : Object.entries(value);
    for (let at = entries.length - 1; at >= 0; at--) {
      const [key, inner] = entries[at]!;
      const below = `${pointer}/${typeof key === 'number' ? key : escapeToken(key)}`;
      stack.push({ pointer: below, value: inner, key, parent: value, carried: child(key, entries.length) });
    }
  }
}

/** Gives what is carried to each child, or null where the children need not be visited. */
export type Visit<C> = (node: JsonNode, carried: C) => ((key: string | number, siblings: number) => C) | null;
