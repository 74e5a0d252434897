import * as z from 'zod';
import type { Field, Fields } from './fields.js';
import type { Operation } from './operation.js';
import * as records from './record-schemas.js';

/** What an operation's `output` is made of: zod, and the schemas of the model's records. */
const schemas = { z, ...records };
export type Schemas = typeof schemas;

/** An operation's input as a zod schema, for MCP, HTTP and the reference. `readInput` gives the same verdicts. */
export function inputSchema({ input }: Pick<Operation, 'input'>): z.ZodObject {
  return z.strictObject(shapeOf(input));
}

export const outputSchema = <S extends z.ZodType>({ output }: { output: (schemas: Schemas) => S }): S =>
  output(schemas);

function shapeOf(fields: Fields): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, typeOf(field)]));
}

function typeOf(field: Field): z.ZodType {
  const described = plainType(field).describe(field.description);
  if (field.fallback !== undefined) return described.default(field.fallback as never);
  return field.optional ? described.optional() : described;
}

function plainType(field: Field): z.ZodType {
  switch (field.kind) {
    case 'flag':
      return z.boolean();
    case 'text':
      return oneText(field);
    case 'texts': {
      const list = z.array(oneText(field)).max(field.most ?? Number.MAX_SAFE_INTEGER);
      return field.optional ? list : list.min(1);
    }
    case 'integer':
      return within(z.int(), field);
    case 'number':
      return within(z.number(), field);
    case 'group':
      return z.strictObject(shapeOf(field.fields ?? {}));
  }
}

function oneText(field: Field): z.ZodType {
  if (field.choices) return z.enum(field.choices as [string, ...string[]]);
  const some = z.string().max(field.longest ?? Number.MAX_SAFE_INTEGER);
  return field.date ? some.refine((value) => !Number.isNaN(Date.parse(value)), 'no date: 2026-01-31') : some;
}

function within(type: z.ZodNumber, field: Field): z.ZodNumber {
  let bounded = type;
  if (field.minimum !== undefined) bounded = bounded.min(field.minimum);
  if (field.maximum !== undefined) bounded = bounded.max(field.maximum);
  return bounded;
}
