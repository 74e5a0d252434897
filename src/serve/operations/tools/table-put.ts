import type { TableReport } from '../../../tools/tools.js';
import { embedFlag, tableId } from '../../fields/names.js';
import { optionalText } from '../../fields.js';
import { operation } from '../../operation.js';
import { tableReportSchema, tableReportText, toolContext } from './answers.js';
import { contentField, tableContent } from './json-input.js';

export const tablePut = operation({
  name: 'table-put',
  summary: 'Keep a JSON file as a table',
  description:
    'Keeps JSON in the library under an id, in the place of what was there. Search tools over the table follow: only strings that have changed are indexed again. A file with one JSON value per line (NDJSON) becomes a list. At most 128 MB; large files are read and parsed in a process of their own.',
  access: 'none',
  changes: true,
  library: 'create',
  input: {
    table_id: tableId,
    file: optionalText('The JSON file', { cli: { positional: true, value: 'FILE' } }),
    content: contentField,
    embed: embedFlag,
  },
  output: tableReportSchema,
  subject: ({ table_id }) => table_id,
  examples: [
    { command: 'strata table put handbook handbook.json', explanation: 'a file' },
    {
      command: 'strata table put notes --content \'{"a": "some text"}\'',
      explanation: 'JSON on the command line',
    },
  ],
  async handler(library, { table_id, embed, ...given }, context) {
    const { openTools } = await import('../../../tools/open-tools.js');
    const content = tableContent(given, context);
    return openTools(library).tables.put(table_id, content, toolContext(context, embed));
  },
  render: (report: TableReport, view) => (view.quiet ? '' : tableReportText(report)),
  problems: ({ tools }: TableReport) => tools.flatMap(({ notices }) => notices),
});
