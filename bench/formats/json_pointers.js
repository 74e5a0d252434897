// Is every string of a JSON file in a block whose pointer leads to it? And do the RFC 6901 cases pass?
// node json_pointers.js JSON_BIG_DIR JSON_POINTER_DIR
import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { resolvePointer, stringNodes } from '../../dist/model/json/pointer.js';
import { parseDocument } from '../../dist/parse/parse.js';
import { DEFAULT_LIMITS as limits } from '../../dist/parse/parser.js';

const [big, cases] = process.argv.slice(2);
const squash = (text) => text.replace(/\s+/g, '');
for (const name of readdirSync(big).filter((name) => /\.(nd)?json$/.test(name))) {
  const bytes = readFileSync(`${big}/${name}`);
  const tree = await parseDocument({ bytes, name, limits });
  const document = name.endsWith('.ndjson')
    ? bytes
        .toString()
        .split('\n')
        .filter((line) => line.trim())
        .map((line) => JSON.parse(line))
    : JSON.parse(bytes.toString());
  const byPointer = new Map();
  for (const { pointer, start, end } of tree.blocks) {
    byPointer.set(pointer, (byPointer.get(pointer) ?? '') + squash(tree.text.slice(start, end)));
  }
  let strings = 0;
  let reached = 0;
  for (const { pointer, value } of stringNodes(document)) {
    strings += 1;
    if (resolvePointer(document, pointer) !== value) console.log('resolve', pointer);
    const wanted = squash(value);
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
      if (byPointer.get(at)?.includes(wanted)) {
        reached += 1;
        break;
      }
      if (at === '') {
        console.log('not reached', name, pointer);
        break;
      }
    }
  }
  console.log(`${name}: ${reached} of ${strings} strings`);
}
const rfc = JSON.parse(readFileSync(`${cases}/rfc6901_section5.json`));
let passed = rfc.cases.filter(
  ({ pointer, expected }) =>
    pointer === '' || isDeepStrictEqual(resolvePointer(rfc.document, pointer), expected),
).length;
let total = rfc.cases.length;
for (const file of ['tests.json', 'spec_tests.json']) {
  for (const { doc, patch, error, disabled } of JSON.parse(readFileSync(`${cases}/${file}`))) {
    if (
      disabled ||
      patch?.length !== 1 ||
      !['test', 'remove', 'replace'].includes(patch[0].op) ||
      patch[0].path === undefined
    )
      continue;
    const [{ op, path, value }] = patch;
    let found;
    try {
      found = resolvePointer(doc, path);
    } catch {
      found = undefined;
    }
    const right =
      op === 'test' && value !== undefined
        ? isDeepStrictEqual(found, value) === (error === undefined)
        : (found !== undefined) === (error === undefined) || (value === undefined && error !== undefined);
    total += 1;
    if (right) passed += 1;
    else console.log('case', file, op, path, error, found);
  }
}
console.log(`pointer cases ${passed} of ${total}`);
