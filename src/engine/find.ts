import { resolve } from 'node:path';
import { allDocuments } from '../ingest/known.js';
import type { Document } from '../model/document.js';
import { sourcePath } from '../source/path.js';
import { type RootedBackend, resolveNamed, resolveTarget } from './resolve.js';

/** A document by whatever names it or one of its passages. */
export const findDocument = async (place: RootedBackend, target: string, cwd?: string): Promise<Document> =>
  (await resolveTarget(place, target, cwd)).document;

/** A document that was named in full, for whoever removes it. */
export const findNamed = async (place: RootedBackend, target: string, cwd?: string): Promise<Document> =>
  (await resolveNamed(place, target, cwd)).document;

/** All documents at or below a folder, by path. */
export async function documentsBelow(
  { backend, root }: RootedBackend,
  target: string,
  cwd: string,
): Promise<Document[]> {
  const folder = sourcePath(root, resolve(cwd, target));
  const found: Document[] = [];
  for await (const document of allDocuments(backend)) {
    if (document.source_path.startsWith(folder === '' ? '' : `${folder}/`)) found.push(document);
  }
  return found;
}
