import { isUtf8 } from 'node:buffer';
import { allDocuments } from '../../ingest/known.js';
import type { Document } from '../../model/document.js';
import type { Span } from '../../model/tree.js';
import type { Backend } from '../../store/backend.js';
import { unitWords } from '../../text/words.js';
import { type Current, currentText, type ParsedPlace } from './current.js';
import { type CitedPassage, findPassage, type HashBudget } from './passage.js';
import { readSource } from './read-source.js';
import { sourceState } from './stale.js';

/** The same passage in another document of the library. */
export interface Copy {
  readonly document: Document;
  readonly current: Current;
  readonly span: Span;
  /** It was not there when the library last looked, or nobody knows: then it may be the same passage, moved. */
  readonly isNew: boolean;
}

/** The rarest words of a passage find the documents that hold it; more of them change nothing. */
const RARE_WORDS = 16;
const MOST_CANDIDATES = 30;
/** Files that changed since they were added are read again, up to this many. */
const MOST_CHANGED = 500;
/** Without the passage's text its hash is looked for at every line of the library, up to this many characters. */
const MOST_SCANNED = 20_000_000;

/** The very same passage in another document: as the library keeps it, or in a file that has changed since. */
export async function copyElsewhere(
  place: ParsedPlace,
  besides: string | null,
  passage: CitedPassage,
  budget: HashBudget,
): Promise<Copy | null> {
  const { backend } = place;
  let old: Copy | null = null;
  for (const id of await likelyDocuments(backend, passage, budget)) {
    if (id === besides) continue;
    const document = await backend.document(id);
    const copy = document === null ? null : await copyIn(place, document, passage, budget);
    if (copy?.isNew) return copy;
    old ??= copy;
  }
  let looked = 0;
  for await (const document of allDocuments(backend)) {
    if (document.id === besides || looked >= MOST_CHANGED) continue;
    if ((await sourceState(place, document)) !== 'changed') continue;
    looked++;
    if (!(await mayHold(place.root, document, passage))) continue;
    const copy = await copyIn(place, document, passage, budget);
    if (copy !== null) return copy;
  }
  return old;
}

/** False only where a look at the bytes rules it out: parsing takes a hundred times longer. */
async function mayHold(
  root: string,
  { source, metadata }: Document,
  { text }: CitedPassage,
): Promise<boolean> {
  if (text === undefined || (metadata.format !== 'markdown' && metadata.format !== 'text')) return true;
  const bytes = await readSource(root, source).catch(() => null);
  if (bytes === null) return false;
  const longest = text.split('\n').reduce((a, b) => (b.length > a.length ? b : a), '');
  return !isUtf8(bytes) || bytes.includes(longest.trimEnd());
}

async function copyIn(
  place: ParsedPlace,
  document: Document,
  passage: CitedPassage,
  budget: HashBudget,
): Promise<Copy | null> {
  const current = await currentText(place, document);
  const starts = current.changed ? [] : await place.backend.chunksOf(document.id);
  const span =
    current.text === null
      ? null
      : await findPassage(
          current.text,
          passage,
          budget,
          starts.map(({ start_position }) => start_position),
        );
  if (span === null) return null;
  const before = current.changed ? await place.backend.content(document.id) : null;
  // Only the passage's own text can tell whether it was there before.
  const wasThere =
    passage.text !== undefined &&
    (!current.changed || (before !== null && (await findPassage(before.text, passage, budget)) !== null));
  return { document, current, span, isNew: !wasThere };
}

/** Documents whose stored text may hold the passage. */
async function likelyDocuments(
  backend: Backend,
  passage: CitedPassage,
  budget: HashBudget,
): Promise<readonly string[]> {
  if (passage.text === undefined) return documentsWithHash(backend, passage, budget);
  const { terms } = unitWords('', passage.text);
  const { df } = await backend.words.frequencies(terms);
  const rare = terms
    .map((term, i) => ({ term, df: df[i]! }))
    .filter((known) => known.df > 0)
    .sort((a, b) => a.df - b.df)
    .slice(0, RARE_WORDS)
    .map(({ term }) => ({ term, weight: 1 }));
  const found = await backend.words.match({ terms: rare, k: MOST_CANDIDATES, kind: 'chunk', scorer: 'bm25' });
  const chunks = await backend.chunksById(found.map(({ id }) => id));
  return [...new Set(chunks.map(({ doc_id }) => doc_id))];
}

/** Nobody knows the words: every stored text is asked whether a stretch of it has the hash. */
async function documentsWithHash(
  backend: Backend,
  passage: CitedPassage,
  budget: HashBudget,
): Promise<readonly string[]> {
  let scanned = 0;
  for await (const { id } of allDocuments(backend)) {
    if (scanned > MOST_SCANNED || budget.left <= 0) break;
    const starts = (await backend.chunksOf(id)).map(({ start_position }) => start_position);
    const text = (await backend.content(id))?.text ?? '';
    scanned += text.length;
    if ((await findPassage(text, passage, budget, starts)) !== null) return [id];
  }
  return [];
}
