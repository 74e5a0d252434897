import { StrataError } from '../../model/errors.js';
import { decodeUtf8, normaliseText } from '../decode.js';
import { JsonBytes, literalEnd, MULTIBYTE, QUOTE, SPECIAL } from './json-bytes.js';
import { JsonNodes, type JsonTable, KIND, keyHolds, kindOf, valueHolds } from './json-table.js';

/** What may come next. */
const VALUE = 0;
const ITEM = 1;
const MEMBER = 2;
const NEXT = 3;

const COMMA = 0x2c;
const COLON = 0x3a;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/**
 * Reads one value from `from`, without recursion; takes the comments and trailing commas that configuration files have.
 * `bytes` are UTF-8 (see `utf8Of`). Throws CORRUPT for what is no JSON, LIMIT past `nesting`.
 */
export function scanJson(
  bytes: Buffer,
  from: number,
  nesting: number,
  nodes = new JsonNodes(),
): { table: JsonTable; end: number } {
  nodes.reset(bytes, from);
  const reader = new JsonBytes(bytes, from);
  let expects = VALUE;
  reader.space();
  do {
    const { inObject } = nodes;
    const start = reader.at;
    const code = bytes[start];
    if (nodes.depth > 0 && (code === OBJECT_END || code === ARRAY_END)) {
      if ((code === OBJECT_END) !== inObject || expects === VALUE)
        throw unexpected(reader, inObject ? 'a value or "}"' : 'a value');
      reader.at += 1;
      nodes.close(reader.at, reader.spare);
      expects = NEXT;
    } else if (expects === NEXT) {
      if (code !== COMMA) throw unexpected(reader, `"," or "${inObject ? '}' : ']'}"`);
      reader.at += 1;
      expects = inObject ? MEMBER : ITEM;
    } else if (expects === MEMBER) {
      if (!reader.string()) throw unexpected(reader, 'a key in double quotes');
      nodes.member(start, reader.holds);
      reader.space();
      if (bytes[reader.at] !== COLON) throw unexpected(reader, '":"');
      reader.at += 1;
      expects = VALUE;
    } else if (code === OBJECT || code === ARRAY) {
      if (nodes.depth >= nesting) throw new StrataError('LIMIT', `it nests deeper than ${nesting} levels`);
      nodes.open(code === OBJECT, start, reader.spare);
      reader.at += 1;
      expects = code === OBJECT ? MEMBER : ITEM;
    } else {
      const { spare } = reader;
      if (!(code === QUOTE ? reader.string() : reader.scalar())) throw unexpected(reader, 'a value');
      const end = reader.at;
      if (code === QUOTE) nodes.string(start, end, end - start - (reader.spare - spare), reader.holds);
      else nodes.other(start, end);
      expects = NEXT;
    }
    reader.space();
  } while (nodes.depth > 0);
  return { table: nodes, end: reader.at };
}

function unexpected({ bytes, at }: JsonBytes, wanted: string): StrataError {
  let line = 1;
  for (
    let newline = bytes.indexOf(10);
    newline >= 0 && newline < at;
    newline = bytes.indexOf(10, newline + 1)
  )
    line++;
  const found = at >= bytes.length ? 'the end' : JSON.stringify(bytes.toString('utf8', at, at + 4)[0]);
  return new StrataError('CORRUPT', `no valid JSON: line ${line} has ${found} where ${wanted} should be`);
}

/** A scalar as it is meant, and a container as if it were empty. */
export function readValue(table: JsonTable, node: number): string {
  const kind = kindOf(table, node);
  if (kind <= KIND.array) return kind === KIND.object ? '{}' : '[]';
  const start = table.start[node]!;
  const end = table.until[node]!;
  if (kind === KIND.other) return table.bytes.toString('latin1', start, end);
  return stringValue(table.bytes, start, end, valueHolds(table, node));
}

/** A member's key or an item's index. */
export function labelOf(table: JsonTable, node: number): string {
  const key = table.key[node]!;
  if (key < 0) return String(-1 - key);
  const holds = keyHolds(table, node);
  return stringValue(table.bytes, key, literalEnd(table.bytes, key, (holds & SPECIAL) !== 0), holds);
}

function stringValue(bytes: Buffer, start: number, end: number, holds: number): string {
  const raw =
    (holds & MULTIBYTE) === 0
      ? bytes.toString('latin1', start + 1, end - 1)
      : decodeUtf8(bytes.subarray(start + 1, end - 1));
  if ((holds & SPECIAL) === 0 || !raw.includes('\\')) return raw;
  try {
    return normaliseText(JSON.parse(`"${raw.replace(/[\u0000-\u001f]/g, escapeControl)}"`) as string);
  } catch {
    return raw;
  }
}

const escapeControl = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
