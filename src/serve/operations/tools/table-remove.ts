import { tableId } from '../../fields/names.js';
import { say } from '../../language/language.js';
import { operation } from '../../operation.js';
import { tableLine, tableSchema, toolContext } from './answers.js';

export const tableRemove = operation({
  name: 'table-remove',
  summary: 'Remove a table that no tool uses',
  description: 'Removes a table. Refused while search tools use it: remove those first.',
  access: 'none',
  changes: true,
  library: 'existing',
  input: { table_id: tableId },
  output: (schemas) => schemas.z.object({ removed: tableSchema(schemas) }),
  subject: ({ table_id }) => table_id,
  examples: [{ command: 'strata table remove handbook', explanation: 'the table and its JSON' }],
  async handler(library, { table_id }, context) {
    const { openTools } = await import('../../../tools/open-tools.js');
    return openTools(library).tables.remove(table_id, toolContext(context));
  },
  render: ({ removed }, view) => (view.quiet ? '' : say('Removed table {1}', tableLine(removed))),
});
