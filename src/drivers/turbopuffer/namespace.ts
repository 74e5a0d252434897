import type { MirrorMatch, MirrorQuery, MirrorRow, VectorMirror } from '../../store/vector-mirror.js';
import { type Client, cancelled, failedRequest, statusOf } from './client.js';

/** About 8 MB of JSON at 900 dimensions: large enough to be fast, small enough to be repeated. */
const BATCH_ROWS = 500;
const BATCH_IDS = 5_000;
const PAGE = 1_000;
/** What the service gives at most. */
const MOST_RESULTS = 1_200;

type Namespace = ReturnType<Client['namespace']>;
type Filters = NonNullable<NonNullable<Parameters<Namespace['query']>[0]>['filters']>;

/**
 * A namespace of turbopuffer as a copy of vectors. Its metrics are cosine and Euclidean, ours is the dot product of vectors
 * of at most unit length (a pair of models gives some shorter ones). So each row has one dimension more, which makes all
 * rows unit vectors: then the squared distance to a query that is 0 there is |q|² + 1 − 2·q·v, and the order that of q·v.
 */
export class TurbopufferNamespace implements VectorMirror {
  readonly namespace: string;
  readonly #remote: Namespace;

  constructor(client: Client, namespace: string) {
    this.namespace = namespace;
    this.#remote = client.namespace(namespace);
  }

  async upsert(rows: readonly MirrorRow[], signal?: AbortSignal): Promise<void> {
    for (let at = 0; at < rows.length; at += BATCH_ROWS) {
      const batch = rows.slice(at, at + BATCH_ROWS);
      const what = `${rows.length - at} of ${rows.length} rows were not written`;
      await this.#try(what, signal, () =>
        this.#remote.write(
          {
            upsert_rows: batch.map(remoteRow),
            distance_metric: 'euclidean_squared',
            schema: schemaOf(batch[0]!.vector.length + 1),
          },
          { ...(signal && { signal }) },
        ),
      );
    }
  }

  async remove(ids: readonly string[], signal?: AbortSignal): Promise<void> {
    for (let at = 0; at < ids.length; at += BATCH_IDS) {
      const what = `${ids.length - at} of ${ids.length} rows were not deleted`;
      const deletes = ids.slice(at, at + BATCH_IDS);
      await this.#try(what, signal, () => this.#remote.write({ deletes }, { ...(signal && { signal }) }));
    }
  }

  async removeOwner(owner: string, signal?: AbortSignal): Promise<void> {
    await this.#try('its rows were not deleted', signal, () =>
      this.#remote.write({ delete_by_filter: ['owner', 'Eq', owner] }, { ...(signal && { signal }) }),
    );
  }

  async near({ owner, vector, k, doc_ids }: MirrorQuery, signal?: AbortSignal): Promise<MirrorMatch[]> {
    const mine: Filters = ['owner', 'Eq', owner];
    const filters: Filters = doc_ids === undefined ? mine : ['And', [mine, ['doc_id', 'In', [...doc_ids]]]];
    const answer = await this.#try('the question was not answered', signal, () =>
      this.#remote.query(
        {
          rank_by: ['vector', 'ANN', [...vector, 0]],
          top_k: Math.min(k, MOST_RESULTS),
          filters,
          include_attributes: ['chunk_id'],
        },
        { ...(signal && { signal }) },
      ),
    );
    const length = vector.reduce((sum, value) => sum + value * value, 0);
    return (answer?.rows ?? []).flatMap(({ chunk_id, $dist }) =>
      typeof chunk_id === 'string' && typeof $dist === 'number'
        ? [{ chunk_id, score: (length + 1 - $dist) / 2 }]
        : [],
    );
  }

  async *rows(owner: string, signal?: AbortSignal): AsyncGenerator<{ id: string; version: string }> {
    for (let last: string | undefined; ; ) {
      const mine: Filters = ['owner', 'Eq', owner];
      const filters: Filters = last === undefined ? mine : ['And', [mine, ['id', 'Gt', last]]];
      const answer = await this.#try('its rows were not listed', signal, () =>
        this.#remote.query(
          { rank_by: ['id', 'asc'], top_k: PAGE, filters, include_attributes: ['version'] },
          { ...(signal && { signal }) },
        ),
      );
      const rows = answer?.rows ?? [];
      for (const { id, version } of rows) yield { id: String(id), version: String(version) };
      if (rows.length < PAGE) return;
      last = String(rows.at(-1)!.id);
    }
  }

  /** Null where the namespace does not exist: it is made by its first row. The client has tried again as it should. */
  async #try<T>(what: string, signal: AbortSignal | undefined, run: () => PromiseLike<T>): Promise<T | null> {
    try {
      return await run();
    } catch (error) {
      if (statusOf(error) === 404) return null;
      throw signal?.aborted ? cancelled(error) : failedRequest(this.namespace, what, error);
    }
  }
}

function remoteRow({ vector, chunk_index, ...attributes }: MirrorRow) {
  const length = vector.reduce((sum, value) => sum + value * value, 0);
  return { ...attributes, chunk_index, vector: [...vector, Math.sqrt(Math.max(0, 1 - length))] };
}

/** Named, so that nothing is guessed from the first row. What no question asks for is not indexed. */
const schemaOf = (dimensions: number) => ({
  vector: { type: `[${dimensions}]f32` as const, ann: true },
  owner: { type: 'string' as const },
  doc_id: { type: 'string' as const },
  chunk_id: { type: 'string' as const, filterable: false },
  json_pointer: { type: 'string' as const, filterable: false },
  chunk_index: { type: 'uint' as const, filterable: false },
  version: { type: 'string' as const, filterable: false },
});
