import { isStrataError, StrataError } from '../../model/errors.js';
import { cleanForModel, firstUnits } from '../local/clean.js';
import { askService, Refused, type RemotePatience } from '../remote/ask-service.js';
import type { Reranker } from './reranker.js';
import type { RerankSpec } from './spec.js';

/** Services read 512 to 8,192 tokens of a passage; what lies beyond would be cut there or refused. */
const MOST_UNITS = 6_000;
/** A question is waiting: one try, and the search's own budget ends it. */
const PATIENCE: RemotePatience = { attempts: 1, firstWaitMs: 0, timeoutMs: 30_000, longestWaitMs: 0 };

/** How services call the passages: `documents` at Jina, Cohere and most others, `texts` at text-embeddings-inference. */
const FIELDS = ['documents', 'texts'] as const;

/**
 * A service with the request that rerankers share: `{ model, query, documents }`, answered by `{ results: [{ index,
 * relevance_score }] }` or by a plain list of `{ index, score }`. `key` goes to this address only, which the user wrote himself.
 */
export function serviceReranker(
  { url, model }: Extract<RerankSpec, { kind: 'service' }>,
  key: string | undefined,
): Reranker {
  const { host } = new URL(url);
  const service = `The reranker at ${host}`;
  let field: (typeof FIELDS)[number] = FIELDS[0];

  const ask = (question: string, texts: readonly string[], signal: AbortSignal): Promise<unknown> =>
    askService(
      {
        service,
        url,
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
        ...(key === undefined ? {} : { secret: key }),
        body: { ...(model === undefined ? {} : { model }), query: question, [field]: texts },
        signal,
      },
      PATIENCE,
    );

  return {
    id: host,
    score: async (question, texts, signal) => {
      const read = texts.map((text) => firstUnits(cleanForModel(text), MOST_UNITS) || ' ');
      try {
        return scoresOf(service, await ask(question, read, signal), texts.length);
      } catch (error) {
        if (isStrataError(error, 'ABORTED')) return texts.map(() => null);
        if (!(error instanceof Refused) || field === FIELDS[1]) throw error;
        // Refused as it stands: perhaps the passages have the other name here.
        field = FIELDS[1];
        try {
          return scoresOf(service, await ask(question, read, signal), texts.length);
        } catch (again) {
          field = FIELDS[0];
          throw again instanceof Refused ? error : again;
        }
      }
    },
    close: async () => {},
  };
}

/** What a service answers is checked: a wrong index or a score that is no number counts for nothing. */
function scoresOf(service: string, answer: unknown, count: number): (number | null)[] {
  const list = Array.isArray(answer) ? answer : (answer as { results?: unknown })?.results;
  if (!Array.isArray(list)) throw wrong(service, 'it has no results');
  const scores = new Array<number | null>(count).fill(null);
  for (const item of list as { index?: unknown; relevance_score?: unknown; score?: unknown }[]) {
    const score = item?.relevance_score ?? item?.score;
    const { index } = item ?? {};
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count)
      throw wrong(service, `it has the index ${String(index).slice(0, 20)} among ${count} passages`);
    if (typeof score !== 'number' || !Number.isFinite(score))
      throw wrong(service, 'it has a score that is no number');
    scores[index] = score;
  }
  return scores;
}

const wrong = (service: string, problem: string): StrataError =>
  new StrataError('EMBEDDER_FAILED', `${service} gave a wrong answer: ${problem}.`);
