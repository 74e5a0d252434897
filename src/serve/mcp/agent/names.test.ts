import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { outputs } from '../../outputs.js';
import { agentTools } from './tools.js';

const OPERATION: Readonly<Record<string, keyof typeof outputs>> = {
  search_knowledge: 'search',
  scout: 'scout',
  inspect: 'inspect',
  verify_citation: 'verify',
  list_documents: 'list',
  status: 'status',
  add_knowledge: 'add',
  remove_knowledge: 'remove',
};

/** Only agents' answers are cut to a budget: the cursor to read on is theirs alone. */
const PAGING = ['next'];

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

describe('one spelling of fields', () => {
  it.each(agentTools.map((tool) => [tool.name, tool] as const))(
    '%s answers in the words of --json',
    (name, tool) => {
      const known = names(outputs[OPERATION[name]!]);
      const others = [...names(tool.output)].filter((field) => !known.has(field) && !PAGING.includes(field));
      expect(others).toEqual([]);
    },
  );

  it('a passage’s place in its document is its chunk_index; `position` is what a brief has', () => {
    for (const schema of [outputs.inspect, outputs.search, outputs.verify]) {
      expect(names(schema)).not.toContain('position');
    }
    expect(names(outputs.scout)).not.toContain('chunk_index');
  });
});
