import { randomUUID } from 'node:crypto';
import type { Document } from '../model/document.js';
import { embedKey } from '../model/indexed.js';
import { isObject, type Json, type JsonObject } from '../model/json/json.js';
import type { Backend, RecordChange } from './backend.js';

/**
 * Vectors that are kept in another place too (turbopuffer) cannot change in a commit of ours. So the commit notes which
 * document's vectors must be looked at there, and what was there before; whoever can reach the place brings it into step
 * and removes the note. A note says where to look, not what to do: the library's state when it is handled counts, so
 * notes may be handled twice, late, or in any order.
 */
export const OUTBOX_KIND = 'vector_outbox';

/** Whose vectors, where: a search tool's, or the whole library's. */
export interface MirrorTarget {
  readonly tool_id: string;
  readonly namespace: string;
}

export interface OutboxNote {
  /** The id of the record that keeps the note. */
  readonly id: string;
  readonly target: MirrorTarget;
  /** One document; null for everything of this target. */
  readonly doc_id: string | null;
  /** The document's chunks before the change, by id, with the keys of what was embedded. */
  readonly before: Readonly<Record<string, string>>;
}

/** Where the vectors of a document's chunks are kept beside the library's own. */
export function targetsOf(document: Document | null): readonly MirrorTarget[] {
  const kept = document?.source.startsWith('table:') ? document.metadata.turbopuffer : null;
  return Array.isArray(kept) ? kept.filter(isTarget) : [];
}

/** A whole library's vectors; its target has an id of its own. */
const LIBRARY_TARGET = 'library-';
const MIRROR_KIND = 'vector_mirror';

export const isLibraryTarget = ({ tool_id }: MirrorTarget): boolean => tool_id.startsWith(LIBRARY_TARGET);

export const newLibraryTarget = (namespace: string): MirrorTarget => ({
  tool_id: `${LIBRARY_TARGET}${randomUUID()}`,
  namespace,
});

/** Where the vectors of the whole library are kept beside its own; null for nowhere. */
export async function libraryTarget(backend: Backend): Promise<MirrorTarget | null> {
  const value = await backend.record(MIRROR_KIND, 'library');
  return value !== null && isTarget(value) && isLibraryTarget(value) ? value : null;
}

export const libraryTargetRecord = (target: MirrorTarget | null): RecordChange => ({
  kind: MIRROR_KIND,
  id: 'library',
  value: target && { tool_id: target.tool_id, namespace: target.namespace },
});

/** The model whose vectors were sent; null before the first. */
export async function mirrorState(backend: Backend, toolId: string): Promise<string | null> {
  const value = await backend.record(MIRROR_KIND, `sent/${toolId}`);
  return typeof value === 'string' ? value : null;
}

export const mirrorStateRecord = (toolId: string, fingerprint: string | null): RecordChange => ({
  kind: MIRROR_KIND,
  id: `sent/${toolId}`,
  value: fingerprint,
});

/** Whether a target is still in use: for this document, or at all. */
export async function isOwned(backend: Backend, target: MirrorTarget, document?: Document): Promise<boolean> {
  if (isLibraryTarget(target)) return (await libraryTarget(backend))?.tool_id === target.tool_id;
  if (document !== undefined) return targetsOf(document).some(({ tool_id }) => tool_id === target.tool_id);
  const [first] = await backend.documents({ filter: { tools: [target.tool_id] }, limit: 1 });
  return first !== undefined;
}

/** The notes that belong into the commit that makes `after` of `before`. */
export async function outboxRecords(
  backend: Backend,
  before: Document | null,
  after: Document | null,
  everywhere: readonly MirrorTarget[] = [],
): Promise<RecordChange[]> {
  const targets = new Map<string, MirrorTarget>();
  for (const target of [...targetsOf(before), ...targetsOf(after), ...everywhere])
    targets.set(target.tool_id, target);
  if (targets.size === 0) return [];
  const chunks = before === null ? [] : await backend.chunksOf(before.id);
  const keys = Object.fromEntries(chunks.map((chunk) => [chunk.id, embedKey(chunk)]));
  const docId = (before ?? after)!.id;
  // A target that is new to the document has none of its chunks yet.
  const had = new Set([...targetsOf(before), ...everywhere].map(({ tool_id }) => tool_id));
  return [...targets.values()].map((target) =>
    noteRecord(target, docId, had.has(target.tool_id) ? keys : {}),
  );
}

/** Everything of a target has to be looked at: its tool was removed, or may have lost its step. */
export const everythingRecord = (target: MirrorTarget): RecordChange => noteRecord(target, null, {});

function noteRecord(
  target: MirrorTarget,
  docId: string | null,
  before: Record<string, string>,
): RecordChange {
  const { tool_id, namespace } = target;
  const value = { tool_id, namespace, doc_id: docId, before };
  return { kind: OUTBOX_KIND, id: `${tool_id}/${docId ?? '*'}/${randomUUID()}`, value };
}

/** All notes, oldest state of the library first is not promised: see above. A stranger's records are left out. */
export async function outboxNotes(backend: Backend): Promise<OutboxNote[]> {
  const records = await backend.records(OUTBOX_KIND);
  return records.flatMap(({ id, value }) => {
    const note = noteOf(id, value);
    return note === null ? [] : [note];
  });
}

function noteOf(id: string, value: Json): OutboxNote | null {
  if (!isTarget(value)) return null;
  const { tool_id, namespace, doc_id, before } = value as unknown as JsonObject & MirrorTarget;
  if (doc_id !== null && typeof doc_id !== 'string') return null;
  if (!isObject(before)) return null;
  const keys = Object.entries(before).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { id, target: { tool_id, namespace }, doc_id: doc_id ?? null, before: Object.fromEntries(keys) };
}

const isTarget = (value: Json): value is Json & MirrorTarget =>
  isObject(value) && typeof value.tool_id === 'string' && typeof value.namespace === 'string';
