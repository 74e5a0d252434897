import { join } from 'node:path';
import { reasonOf } from '../../model/errors.js';
import type { Json } from '../../model/json/json.js';
import { RECORDS_FOLDER, recordName } from './layout.js';
import { readLibraryText } from './library-file.js';
import type { RecordEntry } from './manifest.js';
import { seal, unseal } from './sealed.js';

export const recordText = (kind: string, id: string, value: Json): string => seal({ kind, id, value });

export const recordPath = (path: string, { kind, id, revision }: RecordEntry): string =>
  join(path, RECORDS_FOLDER, recordName(kind, id, revision));

/** The record's value, or what is wrong with its file. */
export function readRecord(
  path: string,
  entry: RecordEntry,
): { readonly value: Json } | { readonly problem: string } {
  const file = recordPath(path, entry);
  try {
    const record = unseal(readLibraryText(file));
    if (record?.kind === entry.kind && record.id === entry.id) return { value: record.value as Json };
    return { problem: `${file} is damaged` };
  } catch (error) {
    return { problem: `${file} cannot be read: ${reasonOf(error)}` };
  }
}
