/**
 * Messages are written for the person at the command line. An agent has tools instead: advice to run a command is put in
 * terms of a tool that every agent has, or left out, so that it does not ask its user to type what may not even be
 * installed there.
 */
export function forAgents(message: string): string {
  const named = message.replace(COMMAND_WITH_TOOL, (_, command: string) => `\`${TOOLS[command]}\``);
  if (!NAMES_COMMAND.test(named)) return named;
  const kept = named
    .replace(ASIDE, (aside) => (NAMES_COMMAND.test(aside) ? '' : aside))
    .split(CLAUSE_END)
    .filter((clause) => !NAMES_COMMAND.test(clause))
    .join(' ')
    .replace(/[\s,;:]+$/, '');
  // A message that is nothing but advice still says that something is wrong.
  return kept === '' ? NO_MORE : kept;
}

/** Commands whose work every agent can do by a tool, also where it may only read. */
const TOOLS: Readonly<Record<string, string>> = {
  list: 'list_documents',
  search: 'search_knowledge',
  scout: 'scout',
  inspect: 'inspect',
  status: 'status',
  verify: 'verify_citation',
};

const COMMAND_WITH_TOOL = new RegExp(`\`strata (${Object.keys(TOOLS).join('|')})\``, 'g');
/** `strata doctor --fix`, or a flag by itself. */
const NAMES_COMMAND = /`strata [a-z]|(?:^|[\s(`"])--[a-z]/;
const ASIDE = / ?\([^()]*\)/g;
const CLAUSE_END = /(?<=[;:.])\s+/;
const NO_MORE = 'The person who keeps this library must look at it.';

/** The fields of answers that hold messages, and the ones that hold records with such fields. */
const MESSAGES = new Set(['notices', 'warnings', 'reason', 'message']);
const RECORDS = new Set(['entries', 'vectors', 'failed']);

/** An answer with all its messages in words for agents; what documents say is left as it is. */
export function answerForAgents<A extends object>(answer: A): A {
  const fields = Object.entries(answer).map(([name, value]) => {
    if (MESSAGES.has(name)) return [name, eachText(value)];
    if (!RECORDS.has(name) || typeof value !== 'object' || value === null) return [name, value];
    return [name, Array.isArray(value) ? value.map(answerForAgents) : answerForAgents(value)];
  });
  return Object.fromEntries(fields) as A;
}

const eachText = (value: unknown): unknown =>
  typeof value === 'string'
    ? forAgents(value)
    : Array.isArray(value)
      ? value.map((one) => (typeof one === 'string' ? forAgents(one) : one))
      : value;
