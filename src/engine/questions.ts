import type { Embedder } from '../embed/embedder.js';
import type { Document } from '../model/document.js';
import { StrataError } from '../model/errors.js';
import type { SearchAnswer, SearchMode } from '../model/result.js';
import type { SearchParts } from '../search/recall/recall.js';
import { parseCitation } from '../search/show/cite.js';
import { type VectorIndex, withMethods } from '../store/vectors.js';
import { readConsistently } from './consistent-read.js';
import { given } from './given.js';
import { GlossaryFile } from './glossary.js';
import type * as L from './library.js';
import type { LibraryParts } from './library-parts.js';
import { resolveTarget } from './resolve.js';
import { stalenessOf } from './verify/stale.js';

/** A question never waits for a download. */
const NOT_HERE = 'the embedding model is not on this machine yet (`strata embed` fetches it)';
const SWITCHED_OFF = 'search by meaning is switched off (`--embedder none`)';
/** A model takes minutes to take over; if it seems to happen this often during one question, something else is wrong. */
const MOST_SWITCHES = 3;

/** The questions one can ask a library: each is answered from one state of the store, by the model that made its vectors. */
export class Questions {
  readonly #parts: () => LibraryParts;
  readonly #glossary: GlossaryFile;
  readonly #atOnce: boolean;

  /** `parts` throws when the library is closed. With `atOnce` no question waits for a model that is being loaded. */
  constructor(parts: () => LibraryParts, atOnce: boolean) {
    const { root, location } = parts();
    this.#parts = parts;
    this.#glossary = new GlossaryFile([root, location]);
    this.#atOnce = atOnce;
  }

  async search(query: string, { nearest, ...options }: L.SearchOptions): Promise<SearchAnswer> {
    const { search } = await import('../search/search.js');
    const mode = this.#mode(options.mode);
    const answer = await this.#ask(mode, (parts) =>
      search(nearest ? withNearest(parts, nearest) : parts, { ...given(options), query, mode }),
    );
    const results = answer.results.map(async (result) => ({
      ...result,
      ...(await stalenessOf(this.#parts(), result.item)),
    }));
    const notices = [...answer.notices, ...(await this.#damage())];
    return { ...answer, results: await Promise.all(results), notices };
  }

  async scout(query: string, options: L.ScoutOptions): Promise<L.ScoutAnswer> {
    const { scout } = await import('../search/scout.js');
    const mode = this.#mode(options.mode);
    const more = {
      notices: () => this.#damage(),
      staleness: (document: Document) => stalenessOf(this.#parts(), document),
    };
    return this.#ask(mode, (parts) => scout({ ...parts, ...more }, { ...given(options), query, mode }));
  }

  async inspect(target: string, cwd: string | undefined): Promise<L.Inspection> {
    const { inspect } = await import('../search/inspect.js');
    const { backend, root } = this.#parts();
    const { found, document } = await readConsistently(backend, async (backend) => {
      const { document, chunk } = await resolveTarget({ backend, root }, target, cwd);
      if (chunk === null && parseCitation(target) !== null) {
        throw new StrataError(
          'NOT_FOUND',
          `The cited passage is no longer in ${document.source_path}: verify says what became of it.`,
        );
      }
      return { found: await inspect(backend, document, chunk), document };
    });
    const notices = await this.#damage();
    const state = await stalenessOf(this.#parts(), document);
    return { ...found, ...state, ...(notices.length > 0 && { notices }) };
  }

  async around(chunkId: string, count: number): Promise<readonly L.ChunkInspection[]> {
    const { inspectAround } = await import('../search/inspect.js');
    return readConsistently(this.#parts().backend, (backend) => inspectAround(backend, chunkId, count));
  }

  /** Whoever has switched meaning off need not hear at every search that it is off. */
  #mode(asked: SearchMode | undefined): SearchMode {
    return asked ?? (this.#parts().embedders.off ? 'keyword' : 'hybrid');
  }

  /** Damaged records are left out of an answer, and the answer says so. */
  async #damage(): Promise<readonly string[]> {
    const known = (await this.#parts().backend.damage?.()) ?? [];
    if (known.length === 0) return [];
    const more = known.length > 1 ? ` (and ${known.length - 1} more)` : '';
    return [
      `Left out, being damaged: ${known[0]!.message}${more}. \`strata doctor --fix\` repairs what it can.`,
    ];
  }

  /** Where another model takes over between two reads, the question is asked again, of the new one. */
  async #ask<A extends { readonly mode: SearchMode }>(
    mode: SearchMode,
    run: (parts: SearchParts) => Promise<A>,
  ): Promise<A> {
    for (let attempt = 1; ; attempt++) {
      const parts = await this.#searchParts(mode);
      try {
        const answer = await readConsistently(parts.backend, (backend) => run({ ...parts, backend }));
        const isLast = answer.mode === mode || attempt === MOST_SWITCHES;
        if (isLast || !(await this.#wasReplaced(parts.embedder))) return answer;
      } catch (error) {
        if (attempt === MOST_SWITCHES || !(await this.#wasReplaced(parts.embedder))) throw error;
      }
    }
  }

  /** The vectors now searched are not this embedder's any more. */
  async #wasReplaced(embedder: Embedder | null): Promise<boolean> {
    if (embedder === null) return false;
    const { active } = await this.#parts().backend.vectors.state();
    return active !== null && active !== embedder.fingerprint;
  }

  async #searchParts(mode: SearchMode): Promise<SearchParts> {
    const glossary = await this.#glossary.read();
    const [model, reranking] = await Promise.all([
      this.#modelParts(mode),
      this.#parts().reranking.forSearch(),
    ]);
    return { ...model, ...reranking, ...(glossary && { glossary }) };
  }

  /** Words need no model: opening one would cost a second. */
  async #modelParts(mode: SearchMode): Promise<SearchParts> {
    const { backend, embedders } = this.#parts();
    if (mode === 'keyword' || mode === 'tfidf') return { backend, embedder: null };
    const ready = this.#atOnce ? await embedders.readyForQueries() : await embedders.forQueries();
    if (ready === 'loading')
      return { backend, embedder: null, missing: 'the embedding model is still loading' };
    const missing = embedders.off ? SWITCHED_OFF : (embedders.reason ?? NOT_HERE);
    return { backend, embedder: ready, missing };
  }
}

/** The same library, but somebody else knows which passages are near. */
function withNearest(parts: SearchParts, near: VectorIndex['near']): SearchParts {
  const { vectors } = parts.backend;
  return { ...parts, backend: { ...parts.backend, vectors: withMethods(vectors, { near }) } };
}
