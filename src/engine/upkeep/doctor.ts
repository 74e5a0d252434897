import { join } from 'node:path';
import { MEANT_FOR_CHUNKS } from '../../drivers/json/backend.js';
import { allDocuments } from '../../ingest/known.js';
import type { Chunk } from '../../model/chunk.js';
import type { Document } from '../../model/document.js';
import { reasonOf } from '../../model/errors.js';
import { embedKey } from '../../model/indexed.js';
import type { Backend, DocumentWrite, Finding } from '../../store/backend.js';
import { networkDrive } from '../../store/lock/drive.js';
import { lockHolder } from '../../store/lock/lock.js';
import { chunkWords, documentWords } from '../../text/words.js';
import type { LibraryParts } from '../library-parts.js';
import { libraryStatus } from '../status.js';
import { sourceState } from '../verify/stale.js';

export interface DoctorReport {
  readonly findings: readonly Finding[];
  /** Worth knowing, but nothing is wrong with the library: files that changed, passages without vectors. */
  readonly notes: readonly string[];
}

/** Everything there is to check: the store's own invariants, words against records, files on disk, vectors. */
export async function doctor(
  library: LibraryParts,
  { fix = false }: { fix?: boolean } = {},
): Promise<DoctorReport> {
  const { backend } = library;
  const findings = [...(await backend.check({ fix }))];
  const wordless = new Set(
    findings.filter(({ area, doc_id }) => area === 'words' && doc_id).map(({ doc_id }) => doc_id!),
  );
  for (const finding of await checkWords(backend)) {
    if (wordless.has(finding.doc_id)) continue;
    wordless.add(finding.doc_id);
    findings.push(finding);
  }
  const repaired = fix ? await indexAgain(backend, wordless) : new Set<string>();
  return {
    findings: findings.map((finding) =>
      finding.area === 'words' && repaired.has(finding.doc_id ?? '') ? { ...finding, fixed: true } : finding,
    ),
    notes: await notesOn(library),
  };
}

/** How many chunks are looked up by a word of their own; in larger libraries they are spread over all of it. */
const LOOKED_UP = 1_000;

/** Can what is there be found? The index is asked as a search would ask it. */
async function checkWords(backend: Backend): Promise<(Finding & { readonly doc_id: string })[]> {
  const findings: (Finding & { readonly doc_id: string })[] = [];
  const { chunks } = await backend.counts();
  const every = Math.max(1, Math.floor(chunks / LOOKED_UP));
  let seen = 0;
  for await (const document of allDocuments(backend)) {
    const due = (await backend.chunksOf(document.id)).filter(() => seen++ % every === 0);
    const lost = [];
    for (const chunk of due) if (!(await isFound(backend, chunk))) lost.push(chunk.chunk_index);
    if (lost.length === 0) continue;
    const message = `${document.source_path}: ${lost.length} of its passages cannot be found by their words`;
    findings.push({ area: 'words', message, doc_id: document.id, fixed: false });
  }
  return findings;
}

async function isFound(backend: Backend, chunk: Chunk): Promise<boolean> {
  const { terms } = chunkWords(chunk);
  if (terms.length === 0) return true;
  const { df } = await backend.words.frequencies(terms);
  // The rarest word: the shortest list to look through.
  const rarest = terms.reduce((best, _, i) => (df[i]! < df[best]! ? i : best), 0);
  const filter = { doc_ids: [chunk.doc_id] };
  const query = { terms: [], required: [terms[rarest]!], k: Number.POSITIVE_INFINITY, filter } as const;
  const found = await backend.words.match({ ...query, kind: 'chunk', scorer: 'bm25' });
  return found.some(({ id }) => id === chunk.id);
}

/** Documents whose words are damaged are written again, with words made from their text. */
async function indexAgain(backend: Backend, docIds: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const repaired = new Set<string>();
  for (const id of docIds) {
    const document = await backend.document(id);
    const write = document === null ? null : await asWrite(backend, document);
    if (write === null) continue;
    try {
      await backend.commit({ put: [write] });
      repaired.add(id);
    } catch {
      // Something else of it is missing too; the store's own finding says what.
    }
  }
  return repaired;
}

async function asWrite(backend: Backend, document: Document): Promise<DocumentWrite | null> {
  const [content, sections, chunks] = await Promise.all([
    backend.content(document.id),
    backend.sections(document.id),
    backend.chunksOf(document.id),
  ]);
  if (content === null) return null;
  return {
    document,
    sections,
    content,
    chunks: chunks.map((chunk) => ({ chunk, embed_key: embedKey(chunk), words: chunkWords(chunk) })),
    words: documentWords(document),
  };
}

async function notesOn(library: LibraryParts): Promise<string[]> {
  const { backend, location } = library;
  const notes: string[] = [];
  const states = { changed: 0, missing: 0 };
  for await (const document of allDocuments(backend)) {
    const state = await sourceState(library, document);
    if (state === 'changed' || state === 'missing') states[state]++;
  }
  if (states.changed > 0) {
    notes.push(
      `${states.changed} files have changed since they were added: \`strata add\` brings them up to date`,
    );
  }
  if (states.missing > 0) {
    notes.push(`${states.missing} files no longer exist: \`strata add --sync\` forgets them`);
  }
  notes.push(...(await vectorNotes(library)));
  const { chunks } = await backend.counts();
  if (backend.driver === 'json' && chunks > MEANT_FOR_CHUNKS) {
    notes.push(
      `${chunks} passages in JSON files: meant for ${MEANT_FOR_CHUNKS}, beyond which SQLite is faster`,
    );
  }
  const drive = await networkDrive(location);
  if (drive !== null)
    notes.push(`${location} is on a network drive (${drive}): let one machine at a time write to it`);
  const writer = await lockHolder(join(backend.location, 'lock'));
  if (writer !== null && writer.pid !== process.pid)
    notes.push(`process ${writer.pid} is writing to the library now`);
  return notes;
}

async function vectorNotes(library: LibraryParts): Promise<string[]> {
  // Whoever has switched meaning off knows.
  if (library.embedders.off) return [];
  try {
    const { vectors, chunks } = await libraryStatus(library);
    if (chunks === 0) return [];
    const why = vectors.reason === undefined ? '' : `: ${vectors.reason}`;
    if (vectors.model === null) return [`search is by words alone${why}`];
    return vectors.pending === 0 ? [] : [`${vectors.pending} of ${chunks} passages have no vector yet${why}`];
  } catch (error) {
    return [`the state of the vectors cannot be told: ${reasonOf(error)}`];
  }
}
