import { resolve } from 'node:path';
import type { Chunk } from '../model/chunk.js';
import type { Document } from '../model/document.js';
import { StrataError } from '../model/errors.js';
import { trueLoc } from '../model/line-marks.js';
import { parseCitation } from '../search/show/cite.js';
import { fileSource } from '../source/path.js';
import type { Backend, KnownId } from '../store/backend.js';

/** A library's records, and the folder that its sources' paths are relative to. */
export interface RootedBackend {
  readonly backend: Backend;
  readonly root: string;
}

/** A passage with its document, or a document as a whole. */
export interface Meant {
  readonly document: Document;
  readonly chunk: Chunk | null;
}

/**
 * What a person means by what was printed for them: a citation or the `strata:…` in it, a path, a place in a file
 * (`guide.md:12`), an id, or the beginning of one (`#0d8b53`).
 */
export async function resolveTarget(
  place: RootedBackend,
  target: string,
  cwd = process.cwd(),
): Promise<Meant> {
  const named = (await resolveExactly(place, target, cwd)) ?? (await byEnd(place, target.trim(), cwd));
  if (named !== null) return named;
  throw nothingCalled(target);
}

/** Without guesses: what is removed must have been named in full. */
export async function resolveNamed(
  place: RootedBackend,
  target: string,
  cwd = process.cwd(),
): Promise<Meant> {
  const named = await resolveExactly(place, target, cwd);
  if (named !== null) return named;
  throw nothingCalled(target);
}

const nothingCalled = (target: string): StrataError =>
  new StrataError(
    'NOT_FOUND',
    `Nothing here is "${target.trim().slice(0, 80)}": give ${FORMS}; \`strata list\` shows what there is.`,
  );

async function resolveExactly(place: RootedBackend, target: string, cwd: string): Promise<Meant | null> {
  const text = target.trim();
  if (text === '') throw new StrataError('INVALID_ARGUMENT', `The name is empty: give ${FORMS}.`);
  return (
    (await byCitation(place.backend, text)) ??
    (await byWholeId(place.backend, text)) ??
    (await byPath(place, text, cwd)) ??
    (await byPlace(place, text, cwd)) ??
    (await byId(place.backend, text))
  );
}

const FORMS = 'a path, a place (guide.md:12), an id or its beginning (#0d8b53), or a citation (strata:…)';

/** The passage may be gone while its document is still there. */
async function byCitation(backend: Backend, text: string): Promise<Meant | null> {
  const cited = parseCitation(text);
  if (cited === null) return null;
  const document = await backend.document(cited.doc_id);
  if (document === null) {
    throw new StrataError('NOT_FOUND', 'The cited document is no longer in the library.');
  }
  return { document, chunk: await backend.chunk(cited.chunk_id) };
}

/** Other programs' libraries may have ids that are no UUIDs. */
async function byWholeId(backend: Backend, text: string): Promise<Meant | null> {
  const document = await backend.document(text);
  if (document !== null) return { document, chunk: null };
  const chunk = await backend.chunk(text);
  const parent = chunk && (await backend.document(chunk.doc_id));
  return parent && { document: parent, chunk };
}

async function byPath({ backend, root }: RootedBackend, text: string, cwd: string): Promise<Meant | null> {
  const document =
    (await backend.documentBySource(text)) ??
    (await backend.documentBySource(fileSource(root, resolve(cwd, text)))) ??
    (await backend.documentBySource(fileSource(root, resolve(root, text))));
  return document && { document, chunk: null };
}

/** `guide.md`, or `guide.md:12`, for `docs/guide.md`, as long as one document only has that end. */
async function byEnd(place: RootedBackend, text: string, cwd: string): Promise<Meant | null> {
  const { path = text } = PLACE.exec(text)?.groups ?? {};
  if (!FILE_NAME.test(path)) return null;
  const found = await place.backend.documents({ filter: { path: `**/${path}` }, limit: NAMED + 1 });
  if (found.length === 0) return null;
  if (found.length === 1) return resolveExactly(place, `${found[0]!.source}${text.slice(path.length)}`, cwd);
  const paths = found.slice(0, NAMED).map(({ source_path }) => source_path);
  throw new StrataError(
    'INVALID_ARGUMENT',
    `"${path}" ends several paths: ${paths.join(', ')}${found.length > NAMED ? ', …' : ''}; write more of it.`,
  );
}

/** A name with an extension, perhaps below some folders; nothing that a glob would read otherwise. */
const FILE_NAME = /^[^*?[\]{}:\\]+\.[\p{L}\p{N}]{1,8}$/u;

/** `guide.md:12`, `guide.md:12-18`, `paper.pdf:p.4`, `api.json:12 /paths`: the last colon counts, Windows paths have one of their own. */
const PLACE = /^(?<path>.+):(?:p\.(?<page>\d+)|(?<line>\d+))(?:[-–]\d+)?(?: (?:\/|cell ).*)?$/s;

/** The passage at a line or on a page, as the library holds it; of several the last that begins there or before. */
async function byPlace(place: RootedBackend, text: string, cwd: string): Promise<Meant | null> {
  const { path, page, line } = PLACE.exec(text)?.groups ?? {};
  const found = path === undefined ? null : await byPath(place, path, cwd);
  if (found === null) return null;
  const { document } = found;
  const at = Number(page ?? line);
  const holds = (chunk: Chunk): boolean => {
    const loc = trueLoc(chunk, document.metadata.format);
    const [from, to] =
      page === undefined ? [loc.lines?.from, loc.lines?.to] : [loc.page, loc.page_end ?? loc.page];
    return from !== undefined && to !== undefined && from <= at && at <= to;
  };
  const chunks = await place.backend.chunksOf(document.id);
  // An empty line between two passages belongs to none: the one below it is meant.
  const below = (chunk: Chunk): boolean =>
    page === undefined && (trueLoc(chunk, document.metadata.format).lines?.from ?? 0) > at;
  const chunk = chunks.findLast(holds) ?? (at > 0 ? chunks.find(below) : undefined);
  if (chunk !== undefined) return { document, chunk };
  const where = page === undefined ? `${at}` : `p.${at}`;
  throw new StrataError(
    'NOT_FOUND',
    `${document.source_path}:${where} has no passage in the library; \`strata show ${document.source_path}\` shows where there are some.`,
  );
}

/** An id, or so much of its beginning that it names something in particular. */
const ID = /^#?([0-9a-f][0-9a-f-]{3,35})$/i;
const LOWEST = '00000000-0000-0000-0000-000000000000';
const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** How many of several ids are named; one more is asked for, to say that there are more. */
const NAMED = 3;

async function byId(backend: Backend, text: string): Promise<Meant | null> {
  const start = ID.exec(text)?.[1]?.toLowerCase();
  if (start === undefined || !isBeginning(start)) return null;
  const range = [start + LOWEST.slice(start.length), start + HIGHEST.slice(start.length)] as const;
  const ids = await backend.idsBetween(...range, NAMED + 1);
  const found = (await Promise.all(ids.map((id) => meantBy(backend, id)))).filter((one) => one !== null);
  if (found.length <= 1) return found[0] ?? null;
  const names = found.slice(0, NAMED).map(nameOf).join(', ');
  throw new StrataError(
    'INVALID_ARGUMENT',
    `"${text}" begins several ids: ${names}${found.length > NAMED ? ', …' : ''}; write more of it.`,
  );
}

/** Hyphens only where an id has them. */
const isBeginning = (start: string): boolean =>
  [...start].every((digit, at) => (digit === '-') === (LOWEST[at] === '-'));

async function meantBy(backend: Backend, { kind, id }: KnownId): Promise<Meant | null> {
  const chunk = kind === 'chunk' ? await backend.chunk(id) : null;
  const document = await backend.document(chunk?.doc_id ?? id);
  return document && { document, chunk };
}

const nameOf = ({ document, chunk }: Meant): string =>
  `#${(chunk ?? document).id.slice(0, 13)} (${chunk ? 'in ' : ''}${document.source_path})`;
