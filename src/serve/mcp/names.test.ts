import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { operationNamed } from '../operations.js';
import { outputSchema } from '../schemas.js';
import { offeredTools } from './tools.js';

/** Only agents' answers are cut to a budget: the cursor to read on is theirs alone. */
const PAGING = ['after', 'next'];

function names(schema: z.ZodType): Set<string> {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === 'properties') for (const name of Object.keys(value as object)) found.add(name);
      visit(value);
    }
  };
  visit(z.toJSONSchema(schema));
  return found;
}

const answerOf = (name: string): Set<string> => names(outputSchema(operationNamed(name)!));

describe('one spelling of fields', () => {
  it.each(offeredTools().map((tool) => [tool.tool.name, tool] as const))(
    '%s answers in the words of --json',
    (_, { operation, outputSchema: own }) => {
      const known = names(outputSchema(operation));
      const others = [...names(own)].filter((field) => !known.has(field) && !PAGING.includes(field));
      expect(others).toEqual([]);
    },
  );

  it('a passage’s place in its document is its chunk_index; `position` is what a brief has', () => {
    for (const name of ['inspect', 'search', 'verify']) {
      expect(answerOf(name)).not.toContain('position');
    }
    expect(answerOf('scout')).not.toContain('chunk_index');
  });
});
