/**
 * A model that reads a question and a passage together and says how well the one answers the other. Too slow for a library, good
 * for the best few of a search. Off unless the user names one: a library cannot.
 */
export interface Reranker {
  /** For people: `local:NAME`, or the service's host. */
  readonly id: string;
  /**
   * One score per text, in order; higher answers better. What is not scored when the signal comes is null: the texts come
   * best first, so that what is lost is the least.
   */
  score(question: string, texts: readonly string[], signal: AbortSignal): Promise<readonly (number | null)[]>;
  close(): Promise<void>;
}
