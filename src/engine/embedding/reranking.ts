import { openReranker } from '../../embed/rerank/open.js';
import type { Reranker } from '../../embed/rerank/reranker.js';
import { parseRerankSpec } from '../../embed/rerank/spec.js';
import { reasonOf } from '../../model/errors.js';
import type { SearchParts } from '../../search/recall/recall.js';

/**
 * The reranker that the user has named for this library, by a flag, an option or `STRATA_RERANK`: opened at the first search that
 * needs it. Libraries and projects cannot name one. A wrong name is refused at once.
 */
export class Reranking {
  readonly #named: Reranker | ReturnType<typeof parseRerankSpec> | undefined;
  readonly #onNotice: ((line: string) => void) | undefined;
  #opening: Promise<Reranker | null> | undefined;

  constructor(named: string | Reranker | undefined, onNotice?: (line: string) => void) {
    const given = named ?? (process.env.STRATA_RERANK || undefined);
    this.#named = typeof given === 'string' ? parseRerankSpec(given) : given;
    this.#onNotice = onNotice;
  }

  /** What a search gets: a reranker, or why there is none though one was named. */
  async forSearch(): Promise<Pick<SearchParts, 'reranker'>> {
    if (this.#named === undefined) return {};
    if ('score' in this.#named) return { reranker: this.#named };
    this.#opening ??= openReranker(this.#named, this.#onNotice ? { log: this.#onNotice } : {});
    try {
      const reranker = await this.#opening;
      return reranker === null ? {} : { reranker };
    } catch (error) {
      // What is mended meanwhile is found by the next search.
      this.#opening = undefined;
      return { reranker: { missing: reasonOf(error) } };
    }
  }

  async close(): Promise<void> {
    const reranker = await this.#opening?.catch(() => null);
    await reranker?.close();
  }
}
