import { isDeepStrictEqual } from 'node:util';
import { StrataError } from '../../model/errors.js';
import type { Json } from '../../model/json/json.js';
import { parsePointer, resolvePointer } from '../../model/json/pointer.js';

/**
 * JSON Patch (RFC 6902). The document is changed in place: whoever calls has parsed it for this, and keeps it only when
 * all operations have succeeded. Written by hand: the usual libraries walk prototypes or accept what the RFC refuses.
 */
export function applyPatch(document: Json, patch: Json): Json {
  if (!Array.isArray(patch)) throw refused('a patch is a list of operations (RFC 6902)');
  let result = document;
  for (const [at, operation] of patch.entries()) {
    try {
      result = applyOne(result, operation as Json);
    } catch (error) {
      if (!(error instanceof StrataError)) throw error;
      throw refused(`operation ${at}: ${error.message}`);
    }
  }
  return result;
}

type Mutable = Json[] | { [key: string]: Json };

function applyOne(document: Json, operation: Json): Json {
  if (typeof operation !== 'object' || operation === null || Array.isArray(operation))
    throw refused('is no object');
  const { op } = operation as { readonly op?: Json };
  const path = textOf(operation, 'path');
  switch (op) {
    case 'add':
      return add(document, path, newValue(operation));
    case 'remove':
      return remove(document, path).document;
    case 'replace':
      return replaceAt(document, path, newValue(operation));
    case 'move':
      return move(document, textOf(operation, 'from'), path);
    case 'copy':
      return add(document, path, structuredClone(existing(document, textOf(operation, 'from'))));
    case 'test':
      if (!isDeepStrictEqual(existing(document, path), newValue(operation)))
        throw refused(`"${path}" is not what the patch expects there`);
      return document;
    default:
      throw refused(`op ${JSON.stringify(op ?? null)} is none of add, remove, replace, move, copy, test`);
  }
}

/** The value at a pointer replaced, as `replace` does; the empty pointer is the whole document. */
export function replaceAt(document: Json, pointer: string, value: Json): Json {
  existing(document, pointer);
  if (pointer === '') return value;
  const { parent, token } = parentOf(document, pointer);
  if (Array.isArray(parent)) parent[Number(token)] = value;
  else put(parent, token, value);
  return document;
}

function add(document: Json, pointer: string, value: Json): Json {
  if (pointer === '') return value;
  const { parent, token } = parentOf(document, pointer);
  if (!Array.isArray(parent)) put(parent, token, value);
  else if (token === '-') parent.push(value);
  else parent.splice(indexOf(token, parent.length, pointer), 0, value);
  return document;
}

function remove(document: Json, pointer: string): { readonly document: Json; readonly value: Json } {
  const value = existing(document, pointer);
  if (pointer === '') return { document: null, value };
  const { parent, token } = parentOf(document, pointer);
  if (Array.isArray(parent)) parent.splice(Number(token), 1);
  else delete parent[token];
  return { document, value };
}

function move(document: Json, from: string, to: string): Json {
  if (to.startsWith(`${from}/`)) throw refused(`"${from}" cannot be moved into itself`);
  const taken = remove(document, from);
  return add(taken.document, to, taken.value);
}

function existing(document: Json, pointer: string): Json {
  const value = resolvePointer(document, pointer);
  if (value === undefined) throw refused(`nothing is at "${pointer}"`);
  return value;
}

function parentOf(document: Json, pointer: string): { readonly parent: Mutable; readonly token: string } {
  const token = parsePointer(pointer).at(-1)!;
  const above = pointer.slice(0, pointer.lastIndexOf('/'));
  const parent = existing(document, above);
  if (typeof parent !== 'object' || parent === null) throw refused(`"${above}" holds nothing`);
  return { parent: parent as Mutable, token };
}

function indexOf(token: string, length: number, pointer: string): number {
  const index = /^(?:0|[1-9]\d*)$/.test(token) ? Number(token) : Number.NaN;
  if (!(index <= length)) throw refused(`"${pointer}" is no place in a list of ${length}`);
  return index;
}

/** Also for the key `__proto__`, which an assignment would not store. */
const put = (parent: { [key: string]: Json }, key: string, value: Json): void =>
  void Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true });

function textOf(operation: object, name: string): string {
  const value = (operation as Record<string, unknown>)[name];
  if (typeof value !== 'string') throw refused(`has no "${name}" that is a JSON pointer`);
  return value;
}

function newValue(operation: object): Json {
  if (!Object.hasOwn(operation, 'value')) throw refused('has no "value"');
  return (operation as { value: Json }).value;
}

const refused = (problem: string): StrataError => new StrataError('INVALID_ARGUMENT', problem);
