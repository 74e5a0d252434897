import type { Document } from '../model/document.js';
import { isStrataError } from '../model/errors.js';
import type { Backend } from '../store/backend.js';
import { documentsBelow, findNamed } from './find.js';
import type { RemoveOptions, RemoveReport } from './library.js';

/** Documents by path, id or folder, out of the library in one step. Files are not touched. */
export async function removeDocuments(
  place: { readonly backend: Backend; readonly root: string },
  targets: readonly string[],
  options: RemoveOptions,
): Promise<RemoveReport> {
  const cwd = options.cwd ?? process.cwd();
  const found = new Map<string, Document>();
  for (const target of targets) {
    for (const document of await meantBy(place, target, cwd)) found.set(document.id, document);
  }
  const dry_run = options.dry_run ?? false;
  if (!dry_run && found.size > 0) await place.backend.commit({ remove: [...found.keys()] });
  const removed = [...found.values()].map(({ id, source_path, title }) => ({ id, source_path, title }));
  return { removed, dry_run };
}

async function meantBy(
  place: { readonly backend: Backend; readonly root: string },
  target: string,
  cwd: string,
): Promise<readonly Document[]> {
  try {
    return [await findNamed(place, target, cwd)];
  } catch (error) {
    if (!isStrataError(error, 'NOT_FOUND')) throw error;
    const below = await documentsBelow(place, target, cwd);
    if (below.length === 0) throw error;
    return below;
  }
}
