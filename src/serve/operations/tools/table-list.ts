import { say } from '../../language/language.js';
import { operation } from '../../operation.js';
import { tableLine, tableSchema, toolContext } from './answers.js';

export const tableList = operation({
  name: 'table-list',
  summary: 'List the tables of the library',
  description: 'The tables, how many strings each holds, and how large it is.',
  access: 'none',
  changes: false,
  library: 'existing',
  input: {},
  output: (schemas) => schemas.z.object({ tables: schemas.z.array(tableSchema(schemas)) }),
  examples: [{ command: 'strata table list', explanation: 'all tables' }],
  async handler(library, _, context) {
    const { openTools } = await import('../../../tools/open-tools.js');
    return { tables: await openTools(library).tables.list(toolContext(context)) };
  },
  render({ tables }, view) {
    if (tables.length === 0)
      return view.quiet ? '' : say('No tables yet: `strata table put ID FILE` keeps one.');
    return tables.map(tableLine).join('\n');
  },
});
