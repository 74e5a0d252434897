import { describe, expect, it } from 'vitest';
import { type Field, flagName, readInput } from '../fields.js';
import { commandName } from '../operation.js';
import { operations } from '../operations.js';
import { buildProgram } from './cli.js';

const shown = operations.flatMap((operation) =>
  Object.entries(operation.input).flatMap(([name, field]) =>
    field.fields === undefined
      ? [{ operation, name, field, group: undefined as string | undefined }]
      : Object.entries(field.fields).map(([own, one]) => ({ operation, name: own, field: one, group: name })),
  ),
);

describe('flags', () => {
  it.each(shown.map((one) => [`${one.operation.name} ${one.name}`, one] as const))(
    '%s: what is written on the command line reaches the handler',
    async (_, { operation, name, field, group }) => {
      const { written, wanted } = sample(name, field);
      const names = Object.keys(operation.input);
      const last = field.cli?.positional ? names.indexOf(name) : -1;
      const others = Object.entries(operation.input)
        .filter(([other, { cli, optional }], at) =>
          cli?.positional ? at <= last || !optional : !optional && other !== name,
        )
        .flatMap(([other, one]) => sample(other, one).written);
      const words = commandName(operation).split(' ');
      const argv = [...words, ...others, ...(last < 0 ? written : [])];
      expect(valueIn(await inputOf(argv), name, group)).toEqual(wanted);
      if (last >= 0 || !field.optional) return;
      expect(valueIn(await inputOf([...words, ...others]), name, group)).toEqual(field.fallback);
    },
  );

  it('no two flags of a command have one name, and none begins with "no-" but what is on by default', () => {
    const { commands } = buildProgram(
      async () => 0,
      () => {},
    );
    for (const command of commands) {
      const names = command.options.flatMap(({ long, short }) => [long, short]).filter(Boolean);
      expect(new Set(names).size, command.name()).toBe(names.length);
    }
    // Commander takes `--no-x` as "x is false": a field `no_x` would never be set.
    for (const { name, field } of shown) expect(flagName(name, field)).not.toMatch(/^no-/);
  });
});

const valueIn = (input: Readonly<Record<string, unknown>>, name: string, group?: string): unknown =>
  group === undefined ? input[name] : (input[group] as Record<string, unknown> | undefined)?.[name];

/** What the operation's handler would get. */
async function inputOf(argv: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  let input: Readonly<Record<string, unknown>> = {};
  const program = buildProgram(
    async (operation, given) => {
      input = readInput(operation.input, given);
      return 0;
    },
    () => {},
  );
  await program.parseAsync(['node', 'strata', ...argv]);
  return input;
}

/** A value other than the fallback, as it is written and as the handler should see it. */
function sample(name: string, field: Field): { written: readonly string[]; wanted: unknown } {
  if (field.kind === 'flag') {
    const off = field.fallback === true;
    return { written: [`--${off ? 'no-' : ''}${flagName(name, field)}`], wanted: !off };
  }
  const number = field.kind === 'integer' || field.kind === 'number';
  const value = number
    ? (field.minimum ?? 0) + (field.minimum === field.fallback ? 1 : 0)
    : (field.choices?.find((choice) => choice !== field.fallback) ??
      (field.date ? '2026-01-31' : 'some words'));
  const flag = field.cli?.positional ? [] : [`--${flagName(name, field)}`];
  return { written: [...flag, String(value)], wanted: field.kind === 'texts' ? [value] : value };
}
