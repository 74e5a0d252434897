import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isStrataError } from '../model/errors.js';
import {
  type Field,
  type Fields,
  flag,
  group,
  integerOr,
  optionalInteger,
  optionalNumber,
  optionalText,
  optionalTexts,
  readInput,
  text,
  textOr,
  texts,
} from './fields.js';
import { commandName } from './operation.js';
import { operations } from './operations.js';
import { inputSchema } from './schemas.js';

const FIELDS: Fields = {
  query: text('q'),
  paths: texts('p'),
  kind: optionalText('k', { choices: ['a', 'b'] }),
  kinds: optionalTexts('ks', { choices: ['a', 'b'] }),
  mode: textOr('x', 'm', { choices: ['x', 'y'] }),
  limit: integerOr(10, 'l', { minimum: 0, maximum: 100 }),
  size: optionalInteger('s', { minimum: 1 }),
  ratio: optionalNumber('r', { minimum: 0, maximum: 1 }),
  dry: flag('d'),
  embed: flag('e', { fallback: true }),
  filter: group('f', { path: optionalText('p'), after: optionalText('a', { date: true }) }),
};

const SCHEMA = inputSchema({ input: FIELDS });

const value = fc.oneof(
  fc.constantFrom('a', 'b', 'x', 'y', '', 'zzz', 'q'.repeat(4097)),
  fc.integer({ min: -2, max: 120 }),
  fc.double({ min: -1, max: 2, noNaN: true }),
  fc.boolean(),
  fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }),
  fc.constantFrom({}, { path: 'a' }, { path: 1 }, { after: '2026-01-31' }, { after: 'soon' }, { odd: 1 }),
);

describe('an operation’s input', () => {
  it('is judged the same by readInput and by the schema agents see', () => {
    const given = fc.dictionary(fc.constantFrom(...Object.keys(FIELDS), 'unknown'), value);
    fc.assert(
      fc.property(given, fc.boolean(), (some, complete) => {
        const input = complete ? { query: 'q', paths: ['p'], ...some } : some;
        const schema = SCHEMA.safeParse(input);
        try {
          const read = readInput(FIELDS, input);
          expect(schema.success).toBe(true);
          // `toEqual` heeds no fields that are undefined.
          expect(read).toEqual(schema.data);
        } catch (error) {
          if (!isStrataError(error, 'INVALID_ARGUMENT')) throw error;
          expect(schema.success).toBe(false);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('names the field, the problem and what is known', () => {
    const problem = (input: Record<string, unknown>): string => {
      try {
        readInput(FIELDS, { query: 'q', paths: ['p'], ...input });
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(problem({ limit: 101 })).toBe('limit: must be at most 100, not 101');
    expect(problem({ size: 1.5 })).toBe('size: must be a whole number, not 1.5');
    expect(problem({ kind: 'c' })).toBe('kind: "c" is none of a, b');
    expect(problem({ query: 'q'.repeat(5000) })).toBe('query: must be at most 4096 characters, not 5000');
    expect(problem({ paths: Array(1001).fill('p') })).toBe('paths: must be at most 1000 texts, not 1001');
    expect(problem({ nonsense: 1 })).toMatch(/^nonsense: unknown; known are query, /);
    expect(problem({ filter: { after: 'soon' } })).toBe('after: "soon" is no date; write it as 2026-01-31');
    expect(problem({ paths: [] })).toMatch(/^paths: needs at least one/);
  });

  it('every operation has a name, words, examples that use it, and flags that do not clash', () => {
    const names = operations.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const operation of operations) {
      expect(operation.summary).toMatch(/^[A-Z].{10,}[^.]$/);
      expect(operation.description.length).toBeGreaterThan(40);
      expect(operation.examples.length).toBeGreaterThan(0);
      for (const { command } of operation.examples)
        expect(command).toContain(`strata ${commandName(operation)}`);
      const fields = Object.entries(operation.input).flatMap(([name, field]): [string, Field][] =>
        field.fields ? Object.entries(field.fields) : [[name, field]],
      );
      for (const [name, field] of fields) {
        expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
        expect(field.description).not.toBe('');
        // B15: nothing a caller writes is longer than the program is ready for.
        if (field.kind === 'text' || field.kind === 'texts')
          expect(field.longest).toBeLessThanOrEqual(4 * 2 ** 20);
        if (field.kind === 'texts') expect(field.most).toBeLessThanOrEqual(100_000);
        expect(['json', 'quiet', 'library', 'store', 'embedder', 'help']).not.toContain(
          field.cli?.flag ?? name,
        );
      }
    }
  });
});
