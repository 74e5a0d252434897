import { isStrataError, reasonOf } from '../../model/errors.js';
import type { Backend, Change } from '../../store/backend.js';
import { libraryTarget, type MirrorTarget, mirrorState, outboxRecords } from '../../store/outbox.js';
import type { VectorMirror } from '../../store/vector-mirror.js';
import { type VectorIndex, withMethods } from '../../store/vectors.js';
import type { LibraryTrust } from '../trust/trust.js';
import { openMirror } from './open-mirror.js';

/** A filter that leaves more documents is answered by the library's own vectors: the service would have to hear them all. */
const MOST_DOCUMENTS = 1_000;

interface MirrorOptions {
  readonly trust: LibraryTrust;
  readonly onNotice?: ((line: string) => void) | undefined;
}

/**
 * A library whose vectors are kept at turbopuffer too: every commit notes which documents must be looked at there, and the
 * nearest are asked for there. Where that cannot be done, the library's own vectors answer. The backend itself for a
 * library without such a copy.
 */
export async function mirroredBackend(backend: Backend, options: MirrorOptions): Promise<Backend> {
  const target = await libraryTarget(backend).catch((error: unknown) => {
    // A damaged record must not keep `doctor` from opening the library.
    if (isStrataError(error, 'STORE_DAMAGED')) return null;
    throw error;
  });
  if (target === null) return backend;
  const near = nearestOf(backend, target, options);
  const { forOneQuestion } = backend;
  return {
    ...backend,
    vectors: withMethods(backend.vectors, { near }),
    commit: async (change) => backend.commit(await withNotes(backend, target, change)),
    ...(forOneQuestion && {
      forOneQuestion: async () => {
        const asked = await forOneQuestion();
        return { ...asked, vectors: withMethods(asked.vectors, { near }) };
      },
    }),
  };
}

async function withNotes(backend: Backend, target: MirrorTarget, change: Change): Promise<Change> {
  const { put = [], remove = [], records = [] } = change;
  if (put.length + remove.length === 0) return change;
  const after = new Map(put.map(({ document }) => [document.id, document]));
  const notes: (typeof records)[number][] = [];
  for (const id of new Set([...after.keys(), ...remove])) {
    const before = await backend.document(id);
    const written = after.get(id) ?? null;
    if (before === null && written === null) continue;
    const all = await outboxRecords(backend, before, written, [target]);
    // Those of tools are the tools' own business, and in their commits already.
    notes.push(...all.filter((record) => record.id.startsWith(`${target.tool_id}/`)));
  }
  return { ...change, records: [...records, ...notes] };
}

function nearestOf(
  backend: Backend,
  target: MirrorTarget,
  { trust, onNotice }: MirrorOptions,
): VectorIndex['near'] {
  let mirror: Promise<VectorMirror> | undefined;
  let told = false;
  return async (query) => {
    const { vector, k, filter, fingerprint } = query;
    const own = (): ReturnType<VectorIndex['near']> => backend.vectors.near(query);
    try {
      const sent = await mirrorState(backend, target.tool_id);
      if (sent === null || (fingerprint !== undefined && sent !== fingerprint)) return own();
      let doc_ids: string[] | undefined;
      if (filter !== undefined && Object.values(filter).some((value) => value !== undefined)) {
        const passing = await backend.documents({ filter, limit: MOST_DOCUMENTS + 1 });
        if (filter.content_types !== undefined || passing.length > MOST_DOCUMENTS) return own();
        doc_ids = passing.map(({ id }) => id);
      }
      mirror ??= openMirror(trust, target.namespace);
      const found = await (await mirror).near({
        owner: target.tool_id,
        vector,
        k,
        ...(doc_ids && { doc_ids }),
      });
      const homes = await backend.documentIdsOf(found.map(({ chunk_id }) => chunk_id));
      return found.flatMap(({ chunk_id, score }, at) =>
        homes[at] === null ? [] : [{ id: chunk_id, score }],
      );
    } catch (error) {
      mirror = undefined;
      if (!isStrataError(error, 'VECTORS_UNAVAILABLE') && !isStrataError(error, 'UNTRUSTED')) throw error;
      if (!told) onNotice?.(`The library’s own vectors are asked: ${reasonOf(error)}`);
      told = true;
      return own();
    }
  };
}
