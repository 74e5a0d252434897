import { resolve } from 'node:path';
import { allDocuments } from '../ingest/known.js';
import type { Document } from '../model/document.js';
import { StrataError } from '../model/errors.js';
import { fileSource, sourcePath } from '../source/path.js';
import type { Backend } from '../store/backend.js';

interface Place {
  readonly backend: Backend;
  readonly root: string;
}

/** Too short a beginning names nothing in particular. */
const SHORTEST_ID = 4;

/** A document by id, source, path (from `cwd` or as the library shows it), or an id's beginning. */
export async function findDocument(
  { backend, root }: Place,
  target: string,
  cwd = process.cwd(),
): Promise<Document> {
  const direct =
    (await backend.document(target)) ??
    (await backend.documentBySource(target)) ??
    (await backend.documentBySource(fileSource(root, resolve(cwd, target)))) ??
    (await backend.documentBySource(fileSource(root, resolve(root, target))));
  if (direct) return direct;
  const named = await byBeginning(backend, target);
  if (named.length === 1) return named[0]!;
  if (named.length > 1) {
    throw new StrataError('INVALID_ARGUMENT', `"${target}" begins ${named.length} ids; write more of it`);
  }
  throw new StrataError('NOT_FOUND', `No document is "${target}" here: \`strata list\` shows what there is.`);
}

async function byBeginning(backend: Backend, start: string): Promise<Document[]> {
  if (start.length < SHORTEST_ID || !/^[0-9a-f-]+$/i.test(start)) return [];
  const found: Document[] = [];
  for await (const document of allDocuments(backend)) {
    if (document.id.startsWith(start.toLowerCase())) found.push(document);
  }
  return found;
}

/** All documents at or below a folder, by path. */
export async function documentsBelow(
  { backend, root }: Place,
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
