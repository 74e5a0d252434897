import { OCR_MODES } from '../ingest/add-options.js';
import { chunkingKey, differs, mergedChunking, settingsOf } from '../ingest/chunking.js';
import { type Ingested, ingest } from '../ingest/ingest.js';
import type { PrepareRequest } from '../ingest/prepare/prepare.js';
import { PreparePool } from '../ingest/prepare/prepare-pool.js';
import type { Ocr } from '../ingest/scans.js';
import { WAITING } from '../ingest/waiting.js';
import type { PreparedDocument } from '../ingest/worker/job.js';
import { isStrataError, reasonOf, StrataError } from '../model/errors.js';
import { sha256 } from '../model/hash.js';
import { mintId } from '../model/id.js';
import type { Backend } from '../store/backend.js';
import { packerOf } from './drivers.js';
import type { EmbedReport } from './embedding/embed-behind.js';
import type { AddEntry, AddOptions, AddReport, TextNote, WorkOptions } from './library.js';
import type { LibraryParts } from './library-parts.js';
import { keepSettings, keptSettings } from './settings.js';

type Notice = (line: string) => void;

/** Files and folders. */
export async function add(
  library: LibraryParts,
  targets: readonly string[],
  options: AddOptions,
  onNotice: Notice,
): Promise<Ingested> {
  if (targets.length === 0)
    throw new StrataError('INVALID_ARGUMENT', 'Nothing to add: name files or folders.');
  if (targets.some((target) => target.trim() === ''))
    throw new StrataError('INVALID_ARGUMENT', 'A path is empty: name files or folders, or "." for this one.');
  const ocr = await chosenOcr(library, options, onNotice);
  const settings = await chosenSettings(library, options);
  const { backend, root, location, guarded } = library;
  const parts = { backend, root, location, settings, packerOf, guarded, onNotice, ocr };
  const done = await ingest(parts, targets, options);
  return settings.strategy === 'h2' ? { ...done, entries: await withSlices(backend, done.entries) } : done;
}

/** One record per slice is what `h2` is for: whoever adds so wants to know the records. */
const withSlices = (backend: Backend, entries: readonly AddEntry[]): Promise<AddEntry[]> =>
  Promise.all(
    entries.map(async (entry) => {
      const isNew = entry.outcome === 'added' || entry.outcome === 'changed';
      if (!isNew || entry.id === undefined) return entry;
      return { ...entry, chunk_ids: (await backend.chunksOf(entry.id)).map(({ id }) => id) };
    }),
  );

/** A text without a file. The same source again replaces it, and its id stays. */
export async function addText(
  library: LibraryParts,
  note: TextNote,
  options: AddOptions,
  onNotice: Notice,
): Promise<Ingested> {
  const settings = await chosenSettings(library, options);
  const source = note.source ?? `note:${note.title}`;
  const bytes = new TextEncoder().encode(note.text);
  // A note has no file: it is the same only when its title, format and metadata are, too.
  const bytes_hash = sha256(JSON.stringify([note.title, note.format, note.metadata, note.text]));
  const before = await library.backend.documentBySource(source);
  const chunking = chunkingKey(settings);
  const nothing = { chunks: { kept: 0, added: 0, removed: 0 }, interrupted: false };
  if (before?.metadata.bytes_hash === bytes_hash && before.metadata.chunking === chunking && !options.force) {
    const entries: AddEntry[] = [{ outcome: 'unchanged', source_path: before.source_path, id: before.id }];
    return { entries, ...nothing };
  }
  const { write, warnings } = await prepareNote(library, note, bytes, {
    doc_id: before?.id ?? mintId(),
    source,
    source_path: source,
    name: note.title,
    title: note.title,
    settings,
    updated_at: '',
    metadata: {
      ...note.metadata,
      bytes_hash,
      chunking,
      size: bytes.length,
      strategy: settings.strategy,
      ...(options.tags && { added_tags: options.tags }),
      ...(options.collection !== undefined && { collection: options.collection }),
    },
  });
  const { id, chunk_count } = write.document;
  const entry: AddEntry = {
    outcome: before ? 'changed' : 'added',
    source_path: source,
    id,
    chunk_count,
    ...(warnings.length > 0 && { warnings }),
  };
  if (options.dry_run) return { entries: [entry], ...nothing };
  const onWait = (): void => onNotice(WAITING);
  const chunks = await library.backend.commit({ put: [write], onWait });
  return { entries: [entry], chunks, interrupted: false };
}

/** As a file is, but a note is Markdown or text, whatever its bytes look like. */
async function prepareNote(
  { backend, guarded }: LibraryParts,
  { title, format = 'markdown' }: TextNote,
  bytes: Uint8Array,
  request: PrepareRequest,
): Promise<PreparedDocument> {
  const pool = new PreparePool({ packerOf, guarded, documents: 1 });
  const from = {
    bytes,
    bytes_hash: '',
    facts: {},
    updated_at: new Date().toISOString(),
    name: title,
    named: true,
  };
  try {
    const job = { from, format, request, driver: backend.driver };
    return (await pool.prepare(0, job)) as PreparedDocument;
  } finally {
    pool.close();
  }
}

/** What is asked for now is remembered for later adds. */
async function chosenSettings(library: LibraryParts, options: AddOptions) {
  const kept = await keptSettings(library.backend);
  const chunking = mergedChunking(kept.chunking, options);
  const settings = settingsOf(chunking);
  if (!options.dry_run && options.remember !== false && differs(chunking, kept.chunking))
    await keepSettings(library.backend, { ...kept, chunking });
  return settings;
}

/**
 * What is asked for now, else what the library remembers. A server reads no pictures: a page takes longer than a caller may
 * make it work, and more memory.
 */
async function chosenOcr(
  { backend, guarded }: LibraryParts,
  options: AddOptions,
  onNotice: Notice,
): Promise<Ocr | undefined> {
  const kept = await keptSettings(backend);
  const { ocr: asked, dry_run, remember, signal, onProgress } = options;
  if (asked !== undefined && !OCR_MODES.includes(asked))
    throw new StrataError('INVALID_ARGUMENT', `ocr is one of ${OCR_MODES.join(', ')}, not "${asked}".`);
  if (guarded && asked !== undefined && asked !== 'off')
    throw new StrataError(
      'INVALID_ARGUMENT',
      'A server reads no scans: `strata add --ocr` on the command line does.',
    );
  const mode = asked ?? kept.ocr ?? 'auto';
  if (!dry_run && remember !== false && asked !== undefined && asked !== kept.ocr)
    await keepSettings(backend, { ...kept, ocr: asked });
  if (mode === 'off' || guarded) return undefined;
  return {
    mode,
    async open() {
      const { ocrSetup } = await import('./ocr/setup.js');
      try {
        return await ocrSetup(mode, {
          ...(signal && { signal }),
          log: onNotice,
          onProgress: ({ model, done, total }) => onProgress?.({ stage: `Fetching ${model}`, done, total }),
        });
      } catch (error) {
        if (isStrataError(error, 'ABORTED')) return null;
        onNotice(`Scans are not read for now: ${reasonOf(error)}`);
        return null;
      }
    },
  };
}

export function addReport(
  { entries, chunks, interrupted, notices }: Ingested,
  vectors: Embedded,
  options: AddOptions,
  started: number,
): AddReport {
  const count = (outcome: AddEntry['outcome']): number =>
    entries.filter((entry) => entry.outcome === outcome).length;
  return {
    added: count('added'),
    changed: count('changed'),
    renamed: count('renamed'),
    unchanged: count('unchanged'),
    removed: count('removed'),
    failed: count('failed'),
    skipped: count('skipped'),
    entries: entries.filter((entry) => entry.outcome !== 'unchanged'),
    chunks: { kept: chunks.kept, added: chunks.added, removed: chunks.removed },
    embedded: vectors.embedded,
    dry_run: options.dry_run ?? false,
    interrupted: interrupted || vectors.interrupted,
    seconds: Math.round(performance.now() - started) / 1000,
    notices: [...(notices ?? []), ...vectors.notices],
  };
}

/** Half a minute or more: worth saying before it begins. */
const MANY = 1_000;

interface Embedded {
  readonly embedded: number;
  readonly interrupted: boolean;
  readonly notices: readonly string[];
}

const NONE: Embedded = { embedded: 0, interrupted: false, notices: [] };

/** What is added can be found by its words already; a model that cannot be had is no failure. */
export async function embedAdded(
  { backend, embedders }: LibraryParts,
  { interrupted }: Ingested,
  { embed: wanted = true, dry_run, signal, onProgress }: AddOptions,
  onNotice: Notice,
  embed: (options: WorkOptions) => Promise<EmbedReport>,
): Promise<Embedded> {
  if (interrupted || !wanted || dry_run || embedders.off) return NONE;
  const { chunks, embedded, active } = await backend.vectors.state();
  if (chunks === 0 || (await embedders.isComplete())) return NONE;
  const pending = chunks - (active === null ? 0 : (embedded[active] ?? 0));
  if (pending >= MANY) {
    onNotice(
      `All is searchable by words. Embedding ${pending} passages for search by meaning; Ctrl-C leaves the rest for \`strata embed\`.`,
    );
  }
  try {
    const done = await embed({ signal, onProgress });
    const notices = [
      ...(done.stopped === undefined ? [] : [`Embedding stopped: ${done.stopped}`]),
      ...(done.failed.length === 0 ? [] : [`${done.failed.length} passages could not be embedded`]),
    ];
    for (const notice of notices) onNotice(notice);
    return { embedded: done.embedded, interrupted: done.interrupted, notices };
  } catch (error) {
    const reason = reasonOf(error);
    onNotice(`Search goes by words for now: ${reason}`);
    return { ...NONE, notices: [reason] };
  }
}
