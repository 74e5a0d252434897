import type { Json } from '../../../model/json/json.js';
import { tableId } from '../../fields/names.js';
import { optionalText } from '../../fields.js';
import { operation } from '../../operation.js';
import { toolContext } from './answers.js';

interface Answer {
  readonly table_id: string;
  readonly pointer: string;
  readonly value: Json;
}

export const tableGet = operation({
  name: 'table-get',
  summary: 'Print a table, or what stands at a JSON pointer',
  description:
    'Prints the JSON of a table, or of the value at a JSON pointer (RFC 6901), such as a search tool gives with each result.',
  access: 'none',
  changes: false,
  library: 'existing',
  input: {
    table_id: tableId,
    pointer: optionalText('Only what stands there: /rules/0/text', {
      cli: { positional: true, value: 'POINTER' },
    }),
  },
  output: ({ z }) =>
    z.object({ table_id: z.string(), pointer: z.string(), value: z.any().describe('Any JSON') }),
  subject: ({ table_id }) => table_id,
  examples: [
    { command: 'strata table get handbook > handbook.json', explanation: 'all of it' },
    { command: 'strata table get handbook /rules/0/text', explanation: 'one string' },
  ],
  async handler(library, { table_id, pointer = '' }, context): Promise<Answer> {
    const { openTools } = await import('../../../tools/open-tools.js');
    const value = await openTools(library).tables.get(table_id, pointer, toolContext(context));
    return { table_id, pointer, value };
  },
  isRaw: () => true,
  render: ({ value }: Answer) => JSON.stringify(value, null, 2),
});
