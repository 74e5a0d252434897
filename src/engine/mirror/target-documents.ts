import { allDocuments } from '../../ingest/known.js';
import type { Document } from '../../model/document.js';
import type { Backend } from '../../store/backend.js';
import { isLibraryTarget, type MirrorTarget, targetsOf } from '../../store/outbox.js';

/** The documents whose vectors belong to a target. */
export async function* documentsOf(backend: Backend, target: MirrorTarget): AsyncGenerator<Document> {
  const isWhole = isLibraryTarget(target);
  for await (const document of allDocuments(backend)) {
    if (isWhole || targetsOf(document).some(({ tool_id }) => tool_id === target.tool_id)) yield document;
  }
}
