import { StrataError } from '../../../model/errors.js';
import type { AuditEntry } from '../../../tools/access/audit.js';
import { colours, oneLine } from '../../cli/terminal.js';
import { integerOr, optionalText } from '../../fields.js';
import { say } from '../../language/language.js';
import { operation, type View } from '../../operation.js';

export const audit = operation({
  name: 'audit',
  summary: 'Show who did what with the library, the newest first',
  description:
    'Everything that callers over HTTP and MCP did or were refused, and what commands changed. Kept in the library’s folder (`audit.jsonl`, the last 20 MB); it holds names, prefixes of keys and addresses, never keys, questions or contents.',
  access: 'owner',
  overHttp: true,
  changes: false,
  library: 'existing',
  input: {
    limit: integerOr(50, 'At most so many', { minimum: 1, maximum: 1000, cli: { value: 'N' } }),
    user: optionalText('By this user, token or caller only', { cli: { value: 'NAME' } }),
    action: optionalText('This operation or tool only', { cli: { value: 'NAME' } }),
    since: optionalText('From this day or moment on (2026-01-31)', { longest: 40, cli: { value: 'WHEN' } }),
  },
  output: ({ z }) =>
    z.object({
      entries: z.array(
        z.object({
          at: z.string(),
          by: z.object({ kind: z.string(), name: z.string(), key: z.string() }).nullable(),
          via: z.enum(['cli', 'http', 'mcp']),
          action: z.string(),
          subject: z.string().nullable(),
          outcome: z.enum(['done', 'refused', 'failed']),
          code: z.string().nullable(),
          address: z.string().nullable(),
        }),
      ),
    }),
  examples: [
    { command: 'strata audit', explanation: 'the last 50 entries' },
    { command: 'strata audit --user ann --since 2026-01-01', explanation: 'what did ann do this year?' },
  ],
  handler: async ({ location }, { limit, user, action, since }) => {
    const { readAudit } = await import('../../../tools/access/audit.js');
    return { entries: await readAudit(location, { limit, user, action, since: momentOf(since) }) };
  },
  render: renderAudit,
});

function momentOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const moment = Date.parse(text);
  if (!Number.isNaN(moment)) return moment;
  throw new StrataError(
    'INVALID_ARGUMENT',
    `since: "${text}" is no date; write a date or a moment: 2026-01-31, 2026-01-31T08:00Z`,
  );
}

function renderAudit({ entries }: { entries: readonly AuditEntry[] }, view: View): string {
  const paint = colours(view);
  if (entries.length === 0) return say('Nothing was noted.');
  return entries
    .map(({ at, by, via, action, subject, outcome, code, address }) => {
      const who = by === null ? say('unknown') : `${by.kind === 'user' ? '' : `${by.kind}:`}${by.name}`;
      const what = oneLine([action, subject].filter(Boolean).join(' '));
      const how =
        outcome === 'done' ? paint.green(say(outcome)) : paint.red(`${say(outcome)} (${code ?? 'INTERNAL'})`);
      const from = paint.dim(`${via}${address ? ` ${oneLine(address)}` : ''}`);
      return `${at}  ${oneLine(who)}  ${what}  ${how}  ${from}`;
    })
    .join('\n');
}
