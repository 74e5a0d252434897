import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  isTempName,
  parseDocumentName,
  parseStateName,
  RECORDS_FOLDER,
  STATE_FOLDER,
  VECTORS_FOLDER,
  vectorsName,
} from './layout.js';
import { liveFolders, type Manifest, newestGeneration } from './manifest.js';
import { recordPath } from './record-files.js';

/** Files and folders of ours, relative to the library, that its manifest does not name. */
export function leftovers(path: string, manifest: Manifest): readonly string[] {
  const live = liveFolders(manifest);
  const found = list(path).filter(
    (name) => isTempName(name) || (parseDocumentName(name) !== null && !live.has(name)),
  );
  const records = new Set(manifest.records.map((entry) => recordPath(path, entry)));
  for (const name of list(join(path, RECORDS_FOLDER))) {
    if (/\.[1-9]\d*\.json$/.test(name) && !records.has(join(path, RECORDS_FOLDER, name))) {
      found.push(join(RECORDS_FOLDER, name));
    }
  }
  const vectors = new Set(manifest.vectors.files.map(({ revision }) => vectorsName(revision)));
  for (const name of list(join(path, VECTORS_FOLDER))) {
    if (/^[1-9]\d*\.vec$/.test(name) && !vectors.has(name)) found.push(join(VECTORS_FOLDER, name));
  }
  const newest = newestGeneration(path);
  for (const name of list(join(path, STATE_FOLDER))) {
    const generation = parseStateName(name);
    if (generation > 0 && generation < newest) found.push(join(STATE_FOLDER, name));
  }
  return found;
}

const list = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);
