import { StrataError } from '../model/errors.js';
import { isObject } from '../model/json/json.js';

/**
 * An operation's input as plain data: each field once, and from it come the command's flags, their help and
 * completions, the check of what was given, the schema agents see (schemas.ts) and the reference docs.
 *
 * Why not zod here: importing it takes longer (60–90 ms) than parsing a document, and every command would pay.
 * schemas.ts makes zod schemas from these fields for MCP and HTTP, which start once.
 */
export interface Field<T = unknown> {
  readonly kind: 'text' | 'texts' | 'integer' | 'number' | 'flag' | 'group';
  readonly description: string;
  readonly optional: boolean;
  readonly fallback?: T;
  readonly choices?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** In characters, of each text: what a caller may make the program work on. */
  readonly longest?: number;
  /** Texts in a list. */
  readonly most?: number;
  /** The text is a date, perhaps with a time. */
  readonly date?: boolean;
  /** Of a group: an object in JSON; on the command line its fields are flags like all others. */
  readonly fields?: Fields;
  readonly cli?: CliHints;
  /** Carries the type alone; never set. */
  readonly type?: T;
}

export interface CliHints {
  /** An argument without a flag: `strata search QUERY`. */
  readonly positional?: boolean;
  /** A positional text of several words needs no quotes. */
  readonly joined?: boolean;
  /** The flag where it differs from the field's name: a repeated `--tag` for `tags`. */
  readonly flag?: string;
  /** One letter. */
  readonly short?: string;
  /** A share of one, written as a percentage: 70 for 0.7. */
  readonly percent?: boolean;
  /** Of a flag that is on unless `--no-…` is given: what that does. */
  readonly no?: string;
  /** What stands for the value in help: `DIR`, `N`. */
  readonly value?: string;
}

export type Fields = Readonly<Record<string, Field>>;

export type InputOf<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never;
};

type Limits = { minimum?: number; maximum?: number; cli?: CliHints };
type Choice<C extends string> = {
  choices?: readonly C[];
  longest?: number;
  most?: number;
  date?: boolean;
  cli?: CliHints;
};

/** As long as paths may be on Linux. */
const LONGEST = 4096;
const MOST = 1000;
export const LONGEST_QUERY = 10_000;
/** A shell puts the names of all files in the place of a `*`. */
export const MOST_PATHS = 100_000;

type Hints = Omit<Field, 'kind' | 'description' | 'optional'>;

const optional = <T>(kind: Field['kind'], description: string, more: Hints): Field<T> =>
  ({ kind, description, optional: true, ...more }) as Field<T>;

/** Required. */
export const text = <C extends string = string>(description: string, more: Choice<C> = {}): Field<C> => ({
  kind: 'text',
  description,
  optional: false,
  longest: LONGEST,
  ...more,
});

/** Required, without a flag: `strata table get TABLE`. */
export const argument = (description: string, value: string, longest = LONGEST): Field<string> =>
  text(description, { longest, cli: { positional: true, value } });

export const optionalText = <C extends string = string>(description: string, more: Choice<C> = {}) =>
  optional<C | undefined>('text', description, { longest: LONGEST, ...more });

export const textOr = <C extends string>(fallback: C, description: string, more: Choice<C> = {}) =>
  optional<C>('text', description, { fallback, longest: LONGEST, ...more });

/** Required, at least one. */
export const texts = (description: string, more: Choice<string> = {}): Field<readonly string[]> => ({
  kind: 'texts',
  description,
  optional: false,
  longest: LONGEST,
  most: MOST,
  ...more,
});

export const optionalTexts = <C extends string = string>(description: string, more: Choice<C> = {}) =>
  optional<readonly C[] | undefined>('texts', description, { longest: LONGEST, most: MOST, ...more });

export const optionalInteger = (description: string, more: Limits = {}) =>
  optional<number | undefined>('integer', description, more);

export const integerOr = (fallback: number, description: string, more: Limits = {}) =>
  optional<number>('integer', description, { fallback, ...more });

export const optionalNumber = (description: string, more: Limits = {}) =>
  optional<number | undefined>('number', description, more);

/** Off unless given; with `fallback` true it is on, and the command line has `--no-…`. */
export const flag = (description: string, more: { fallback?: boolean; cli?: CliHints } = {}) =>
  optional<boolean>('flag', description, { fallback: false, ...more });

/** Fields that belong together, as one object. */
export const group = <F extends Fields>(description: string, fields: F): Field<InputOf<F> | undefined> => ({
  kind: 'group',
  description,
  optional: true,
  fields,
});

/** What a field is called on the command line: `max_tokens` → `max-tokens`. */
export const flagName = (name: string, field: Field): string => field.cli?.flag ?? name.replaceAll('_', '-');

/** How an error names a field: as the caller wrote it. */
type Label = (name: string, field: Field) => string;

/** Check what was given against the fields; fill in fallbacks. Whoever calls (CLI, MCP, HTTP) gets the same answers. */
export function readInput<F extends Fields>(
  fields: F,
  given: Readonly<Record<string, unknown>>,
  label: Label = (name) => name,
): InputOf<F> {
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(fields, name) && given[name] !== undefined) {
      throw new StrataError(
        'INVALID_ARGUMENT',
        `${name}: unknown; known are ${Object.keys(fields).join(', ')}`,
      );
    }
  }
  const input: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = given[name] ?? undefined;
    const called = label(name, field);
    if (value === undefined) input[name] = absent(called, field);
    else if (field.fields !== undefined)
      input[name] = readInput(field.fields, asObject(called, value), label);
    else input[name] = checked(called, field, value);
  }
  return input as InputOf<F>;
}

function absent(name: string, field: Field): unknown {
  if (field.optional) return field.fallback;
  throw new StrataError('INVALID_ARGUMENT', `${name}: missing; ${field.description}`);
}

function asObject(name: string, value: unknown): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  throw new StrataError('INVALID_ARGUMENT', `${name}: must be an object`);
}

function checked(name: string, field: Field, value: unknown): unknown {
  const problem = problemWith(field, value);
  if (problem) throw new StrataError('INVALID_ARGUMENT', `${name}: ${problem}`);
  return value;
}

function problemWith(field: Field, value: unknown): string | null {
  switch (field.kind) {
    case 'flag':
      return typeof value === 'boolean' ? null : 'must be true or false';
    case 'text':
      return typeof value === 'string' ? wrongText(field, value) : 'must be a text';
    case 'texts': {
      if (!Array.isArray(value) || value.some((one) => typeof one !== 'string'))
        return 'must be a list of texts';
      if (!field.optional && value.length === 0) return `needs at least one; ${field.description}`;
      if (field.most !== undefined && value.length > field.most)
        return `must be at most ${field.most} texts, not ${value.length}`;
      return value.map((one) => wrongText(field, one)).find((problem) => problem !== null) ?? null;
    }
    default:
      return wrongNumber(field, value);
  }
}

function wrongText(field: Field, value: string): string | null {
  if (field.longest !== undefined && value.length > field.longest)
    return `must be at most ${field.longest} characters, not ${value.length}`;
  if (field.date && Number.isNaN(Date.parse(value))) return `"${value}" is no date; write it as 2026-01-31`;
  if (!field.choices || field.choices.includes(value)) return null;
  return `"${value}" is none of ${field.choices.join(', ')}`;
}

function wrongNumber(field: Field, value: unknown): string | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
  if (field.kind === 'integer' && !Number.isInteger(value)) return `must be a whole number, not ${value}`;
  if (field.minimum !== undefined && value < field.minimum)
    return `must be at least ${field.minimum}, not ${value}`;
  if (field.maximum !== undefined && value > field.maximum)
    return `must be at most ${field.maximum}, not ${value}`;
  return null;
}
