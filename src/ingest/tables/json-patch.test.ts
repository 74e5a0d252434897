import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../model/json/json.js';
import { formatPointer, resolvePointer } from '../../model/json/pointer.js';
import { applyPatch, replaceAt } from './json-patch.js';

interface Case {
  readonly comment?: string;
  readonly doc: Json;
  readonly patch: Json;
  readonly expected?: Json;
  readonly error?: string;
  readonly disabled?: boolean;
}

const SHARED = new URL('../../../../shared/data/documents/json_pointer/', import.meta.url);
const cases = (file: string): Case[] =>
  existsSync(new URL(file, SHARED))
    ? (JSON.parse(readFileSync(new URL(file, SHARED), 'utf8')) as Case[])
    : [];

describe('a JSON Patch', () => {
  it.skipIf(!existsSync(SHARED)).each(['tests.json', 'spec_tests.json'])(
    'S3.1 does what the public cases of RFC 6902 say (%s)',
    (file) => {
      const all = cases(file).filter(({ disabled, patch }) => !disabled && patch !== undefined);
      expect(all.length).toBeGreaterThan(15);
      for (const { doc, patch, expected, error, comment } of all) {
        const run = (): Json => applyPatch(structuredClone(doc), patch);
        if (error !== undefined) expect(run, comment ?? error).toThrow();
        else expect(run(), comment ?? JSON.stringify(patch)).toEqual(expected ?? doc);
      }
    },
  );

  it('S3.1 adds, removes, replaces, moves, copies and tests', () => {
    const doc = { a: [1, { b: 'x' }], 'c/d': '', '': 0 };
    const patch = [
      { op: 'test', path: '/c~1d', value: '' },
      { op: 'add', path: '/a/1', value: 2 },
      { op: 'add', path: '/a/-', value: 3 },
      { op: 'copy', from: '/a/2', path: '/e' },
      { op: 'replace', path: '/a/2/b', value: 'y' },
      { op: 'move', from: '/', path: '/f' },
      { op: 'remove', path: '/c~1d' },
    ];
    expect(applyPatch(doc, patch)).toEqual({ a: [1, 2, { b: 'y' }, 3], e: { b: 'x' }, f: 0 });
  });

  it.each([
    [[{ op: 'add', path: '/a/01', value: 1 }], 'no place'],
    [[{ op: 'remove', path: '/nope' }], 'nothing is at'],
    [[{ op: 'add', path: '/x/y', value: 1 }], 'nothing is at'],
    [[{ op: 'move', from: '/a', path: '/a/0' }], 'into itself'],
    [[{ op: 'test', path: '/a', value: 2 }], 'not what the patch expects'],
    [[{ op: 'spam', path: '' }], 'none of add'],
    [{ op: 'add' }, 'list of operations'],
  ] as [Json, string][])('S3.1 refuses %j and says why', (patch, problem) => {
    expect(() => applyPatch({ a: [0] }, patch)).toThrow(problem);
  });

  it('B15 keys of the language are keys: no prototype is changed', () => {
    const doc = JSON.parse('{"a": {}}') as Json;
    const value = JSON.parse('{"polluted": true}') as Json;
    const done = applyPatch(doc, [{ op: 'add', path: '/__proto__', value }]);
    expect(JSON.stringify(done)).toBe('{"a":{},"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(() => applyPatch(doc, [{ op: 'add', path: '/constructor/prototype/x', value: 1 }])).toThrow(
      'nothing is at',
    );
  });

  it('S3.1 what was added is there, and removing it gives what was before', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.string(),
        fc.jsonValue(),
        (doc, key, value) => {
          fc.pre(!Object.hasOwn(doc, key));
          const before = JSON.parse(JSON.stringify(doc)) as Json;
          const pointer = formatPointer([key]);
          const wanted = JSON.parse(JSON.stringify(value)) as Json;
          const after = applyPatch(structuredClone(before), [{ op: 'add', path: pointer, value: wanted }]);
          expect(resolvePointer(after, pointer)).toEqual(wanted);
          expect(applyPatch(after, [{ op: 'remove', path: pointer }])).toEqual(before);
        },
      ),
    );
  });

  it('S3.1 one value goes into the place of another, and only there', () => {
    expect(replaceAt({ a: { b: 1 } }, '/a/b', 'x')).toEqual({ a: { b: 'x' } });
    expect(replaceAt({ a: 1 }, '', [])).toEqual([]);
    expect(() => replaceAt({ a: 1 }, '/b', 0)).toThrow('nothing is at');
  });
});
