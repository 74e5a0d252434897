import type * as z from 'zod';
import type { Library } from '../../engine/library.js';
import { estimateTokens } from '../../text/tokens.js';
import { type Fields, type InputOf, integerOr, optionalInteger } from '../fields.js';
import { inEnglish } from '../language/language.js';
import { LEAST_TOKENS, MOST_TOKENS } from '../limits.js';
import type { Context } from '../operation.js';
import type { Schemas } from '../schemas.js';

/**
 * An operation as agents get it: a name and a description that teach when to use it, an answer within a token budget,
 * and that answer a second time as plain text for clients that read no structured content.
 */
export interface AgentTool<A extends object = object> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Fields;
  /** Where agents get less than the operation's own answer. */
  readonly output?: (schemas: Schemas) => z.ZodObject;
  /** It may fetch from other machines. */
  readonly openWorld?: boolean;
  /** It removes what callers may want back. */
  readonly destructive?: boolean;
  run(library: Library, input: Readonly<Record<string, unknown>>, context: AgentContext): Promise<A>;
  text(answer: A): string;
  /** The same answer, one step smaller and saying so; null when nothing more can be left out. */
  shrink(answer: A): A | null;
}

export interface AgentContext extends Context {
  /** Folders that paths given by an agent must lie in. */
  readonly roots: readonly string[];
  /** Vectors for what was just added; nobody waits for them. */
  readonly embedBehind: (library: Library) => void;
}

interface Definition<F extends Fields, A extends object>
  extends Omit<AgentTool<A>, 'run' | 'input' | 'shrink'> {
  readonly input: F;
  run(library: Library, input: InputOf<F>, context: AgentContext): Promise<A>;
  shrink?(answer: A): A | null;
}

export function agentTool<F extends Fields, A extends object>(definition: Definition<F, A>): AgentTool {
  // The table mixes tools; what a tool gets has been checked against its own fields (see tools.ts).
  return { shrink: () => null, ...definition } as unknown as AgentTool;
}

/** The server's own default (`--max-tokens`) counts where a caller names none. */
export const maxTokensField = optionalInteger(
  'The answer is cut to fit this many tokens, and says what was left out (else the server’s default)',
  { minimum: LEAST_TOKENS, maximum: MOST_TOKENS },
);

/** For answers that are a ranking: how many results were seen already. */
export const afterField = integerOr(0, 'The last answer’s `next`, for the results after it', {
  minimum: 0,
  maximum: 1000,
});

/** Where a ranking goes on: `next` is null at its end. */
export interface Paged {
  readonly after: number;
  readonly next: number | null;
}

export const pagingOutput = ({ z }: Schemas) => ({
  after: z.number(),
  next: z.number().nullable().describe('Give it as `after` to read on; null at the end'),
});

export const more = ({ next }: Paged): string[] =>
  next === null ? [] : [`Note: more follow; go on with after: ${next}`];

/** One page of a ranking that was asked for one result more than the page holds. */
export function pageOf<T>(found: readonly T[], after: number, limit: number) {
  const end = after + limit;
  return { shown: found.slice(after, end), next: found.length > end ? end : null };
}

export interface Reply {
  readonly structured: object;
  readonly text: string;
}

/** Makes the answer smaller, step by step, until both its forms together fit the budget. */
export function fitToBudget<A extends object>(tool: AgentTool<A>, answer: A, maxTokens: number): Reply {
  let fitting = answer;
  for (;;) {
    const reply = { structured: fitting, text: inEnglish(() => tool.text(fitting)) };
    if (estimateTokens(reply.text) + estimateTokens(JSON.stringify(fitting)) <= maxTokens) return reply;
    const smaller = tool.shrink(fitting);
    if (smaller === null) return reply;
    fitting = smaller;
  }
}

/** Replaces an earlier note of the same kind, so that shrinking twice says it once. */
export function withNotice(notices: readonly string[], start: string, notice: string): readonly string[] {
  return [...notices.filter((line) => !line.startsWith(start)), `${start}${notice}`];
}
