import type { StoredChange, StoredDocument } from '../../store/records.js';

/**
 * What a change leaves of each document it concerns: the whole new document, or null where it goes. The order is
 * Change's own: remove, rename, put, touch.
 */
export function plan(
  change: StoredChange,
  current: (id: string) => StoredDocument | undefined,
): ReadonlyMap<string, StoredDocument | null> {
  const after = new Map<string, StoredDocument | null>();
  const now = (id: string): StoredDocument | null => (after.has(id) ? after.get(id)! : (current(id) ?? null));
  for (const id of change.remove ?? []) if (now(id) !== null) after.set(id, null);
  const amend = ({ id, ...fields }: { readonly id: string } & Partial<StoredDocument['document']>) => {
    const write = now(id);
    if (write !== null) after.set(id, { ...write, document: { ...write.document, ...fields } });
  };
  for (const rename of change.rename ?? []) amend(rename);
  for (const write of change.put ?? []) after.set(write.document.id, write);
  for (const touch of change.touch ?? []) amend(touch);
  return after;
}

/** Keys of vectors that no chunk has any more after the change. */
export function keysWithoutChunks(
  after: ReadonlyMap<string, StoredDocument | null>,
  current: (id: string) => StoredDocument | undefined,
  usersOf: (key: string) => ReadonlySet<string>,
): ReadonlySet<string> {
  const kept = new Set<string>();
  const removedChunks = new Set<string>();
  const loosened = new Set<string>();
  for (const [id, write] of after) {
    for (const { chunk, embed_key } of current(id)?.chunks ?? []) {
      removedChunks.add(chunk.id);
      loosened.add(embed_key);
    }
    for (const { embed_key } of write?.chunks ?? []) kept.add(embed_key);
  }
  return new Set(
    [...loosened].filter((key) => !kept.has(key) && [...usersOf(key)].every((id) => removedChunks.has(id))),
  );
}
