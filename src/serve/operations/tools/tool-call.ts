import { MOST_TOP_K, TOOL_MODES, type ToolAnswer } from '../../../tools/search/search-tool.js';
import { colours, oneLine } from '../../cli/terminal.js';
import { toolName } from '../../fields/names.js';
import { LONGEST_QUERY, optionalInteger, text } from '../../fields.js';
import { say } from '../../language/language.js';
import { translate } from '../../language/translate.js';
import { operation, type View } from '../../operation.js';
import { toolContext } from './answers.js';

export const toolCall = operation({
  name: 'tool-call',
  summary: 'Ask a search tool, as an agent would',
  description:
    'Asks a search tool a question. Each result has its score and the whole passage: the JSON pointer of the string it stands in, its number among the passages of that string, and its text.',
  access: 'none',
  changes: false,
  library: 'existing',
  input: {
    name: toolName,
    query: text('The question', {
      longest: LONGEST_QUERY,
      cli: { positional: true, joined: true, value: 'QUERY' },
    }),
    top_k: optionalInteger('How many results (else the tool’s own number)', {
      minimum: 1,
      maximum: MOST_TOP_K,
      cli: { short: 'k', value: 'N' },
    }),
  },
  output: ({ z }) =>
    z.object({
      tool: z.string(),
      query: z.string(),
      top_k: z.number(),
      mode: z.enum(TOOL_MODES),
      results: z.array(
        z.object({
          score: z.number(),
          chunk: z.object({
            id: z.string(),
            json_pointer: z.string().describe('Of the whole string (RFC 6901)'),
            chunk_index: z.number(),
            total_chunks: z.number(),
            chunk_text: z.string(),
            content_hash: z.string(),
            table_id: z.string(),
            turbopuffer_namespace: z.string().optional(),
            turbopuffer_doc_id: z.string().optional(),
          }),
        }),
      ),
      notices: z.array(z.string()),
    }),
  subject: ({ name }) => name,
  examples: [
    {
      command: 'strata tool call rules how many days of leave',
      explanation: 'the tool’s usual number of results',
    },
    { command: 'strata tool call rules "leave" -k 3 --json', explanation: 'three, as agents get them' },
  ],
  async handler(library, { name, query, top_k }, context): Promise<ToolAnswer> {
    const { openTools } = await import('../../../tools/open-tools.js');
    return openTools(library).call(name, { query, top_k }, toolContext(context));
  },
  render: renderAnswer,
});

const LONGEST_SHOWN = 300;

function renderAnswer({ results, notices }: ToolAnswer, view: View): string {
  const paint = colours(view);
  const found = results.map(({ score, chunk }) => {
    const place = `${chunk.table_id}#${chunk.json_pointer} (${chunk.chunk_index + 1}/${chunk.total_chunks})`;
    const shown = oneLine(chunk.chunk_text);
    const text = shown.length > LONGEST_SHOWN ? `${shown.slice(0, LONGEST_SHOWN)}…` : shown;
    return `${paint.dim(score.toFixed(3))}  ${oneLine(place)}\n  ${text}`;
  });
  const nothing = results.length === 0 && !view.quiet ? [say('Nothing found.')] : [];
  return [
    ...found,
    ...nothing,
    ...(view.quiet ? [] : notices.map((line) => say('Note: {1}', oneLine(translate(line))))),
  ].join('\n');
}
