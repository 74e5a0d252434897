import { StrataError } from '../model/errors.js';
import type { Section } from '../model/section.js';
import type { Change, ChunkWrite, DocumentWrite, PackedWrite } from './backend.js';
import type { Pack } from './driver.js';

/** A document whose records are all in memory: what stores keep that hold their whole library there. */
export interface StoredDocument extends DocumentWrite {
  readonly sections: readonly Section[];
  readonly chunks: readonly ChunkWrite[];
}

/** A change whose documents are all in memory, and can be read as often as needed. */
export type StoredChange = Omit<Change, 'put'> & { readonly put?: readonly StoredDocument[] };

const FORM = 'records';

/** For such stores nothing is packed: the records themselves travel. */
export const packRecords: Pack = async (write) => {
  const { document, ...packed } = stored(write);
  const size = packed.chunks.reduce((sum, { chunk }) => sum + 2 * chunk.content.length + 1_000, 0);
  return { document, form: FORM, size, packed };
};

export function storedChange(change: Change): StoredChange {
  const { put, ...rest } = change;
  return put === undefined ? rest : { ...rest, put: put.map(storedWrite) };
}

function storedWrite(write: DocumentWrite | PackedWrite): StoredDocument {
  if (!('packed' in write)) return stored(write);
  if (write.form !== FORM) throw packedElsewhere(write);
  return { document: write.document, ...(write.packed as Omit<StoredDocument, 'document'>) };
}

const stored = ({ document, sections, content, chunks, words }: DocumentWrite): StoredDocument => ({
  document,
  sections: Array.isArray(sections) ? sections : [...sections],
  content,
  chunks: Array.isArray(chunks) ? chunks : [...chunks],
  words,
});

/** Where what is packed stays in this process. */
export async function packedHere(write: DocumentWrite, pack: Pack): Promise<PackedWrite> {
  const parts: Uint8Array[] = [];
  return { ...(await pack(write, (part) => void parts.push(part))), parts };
}

export const packedElsewhere = ({ document, form }: PackedWrite): StrataError =>
  new StrataError('INVALID_RECORD', `Document ${document.id} was packed for ${form}; nothing was written.`);
