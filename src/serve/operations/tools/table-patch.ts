import type { TableReport } from '../../../tools/tools.js';
import { embedFlag, tableId } from '../../fields/names.js';
import { optionalText } from '../../fields.js';
import { operation } from '../../operation.js';
import { tableReportSchema, tableReportText, toolContext } from './answers.js';
import { contentField, tableContent } from './json-input.js';

export const tablePatch = operation({
  name: 'table-patch',
  summary: 'Change parts of a table',
  description:
    'Changes a table by a JSON Patch (RFC 6902: add, remove, replace, move, copy, test), all of it or nothing; or, with --pointer, puts one value in the place of the one there. Search tools over the table follow: only strings that have changed are indexed again.',
  access: 'none',
  changes: true,
  library: 'existing',
  input: {
    table_id: tableId,
    file: optionalText('The file with the patch, or with the new value', {
      cli: { positional: true, value: 'FILE' },
    }),
    content: contentField,
    pointer: optionalText('Where the value goes (RFC 6901); without it the JSON is a patch', {
      cli: { value: 'POINTER' },
    }),
    embed: embedFlag,
  },
  output: tableReportSchema,
  subject: ({ table_id }) => table_id,
  examples: [
    { command: 'strata table patch handbook changes.json', explanation: 'a JSON Patch' },
    {
      command: 'strata table patch handbook --pointer /rules/0/text --content \'"New text."\'',
      explanation: 'one value',
    },
  ],
  async handler(library, { table_id, pointer, embed, ...given }, context) {
    const { openTools } = await import('../../../tools/open-tools.js');
    const patch = { ...tableContent(given, context), pointer };
    return openTools(library).tables.patch(table_id, patch, toolContext(context, embed));
  },
  render: (report: TableReport, view) => (view.quiet ? '' : tableReportText(report)),
  problems: ({ tools }: TableReport) => tools.flatMap(({ notices }) => notices),
});
