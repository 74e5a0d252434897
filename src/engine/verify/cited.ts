import { allDocuments } from '../../ingest/known.js';
import type { Chunk } from '../../model/chunk.js';
import type { Citation } from '../../model/citation.js';
import { StrataError } from '../../model/errors.js';
import { type Cited, citation, parseCitation } from '../../search/show/cite.js';
import type { Backend } from '../../store/backend.js';
import { findDocument } from '../find.js';

interface Place {
  readonly backend: Backend;
  readonly root: string;
}

/** A chunk's id or the beginning of one, as it is printed for people: `#0d8b53`. */
const ID = /^#?([0-9a-f][0-9a-f-]{3,35})$/i;
/** `guide.md:12`, `guide.md:12-18`, `paper.pdf:p.4`, `api.json:12 /paths`: the last colon counts, Windows paths have one of their own. */
const PLACE = /^(?<path>.+):(?:p\.(?<page>\d+)|(?<line>\d+))(?:[-–]\d+)?(?: (?:\/|cell ).*)?$/s;

/** What a person means by a citation: one that was printed, a passage's id, or a place in a file. */
export async function resolveCited(place: Place, cited: string | Citation, cwd?: string): Promise<Cited> {
  const parsed = parseCitation(cited);
  if (parsed !== null) return parsed;
  const text = (typeof cited === 'string' ? cited : cited.ref).trim();
  const chunk = (await chunkByPlace(place, text, cwd)) ?? (await chunkById(place.backend, text));
  const document = await place.backend.document(chunk.doc_id);
  if (document === null) throw new StrataError('NOT_FOUND', `The document of ${text} is no longer there.`);
  return parseCitation(citation(document, chunk))!;
}

async function chunkById(backend: Backend, text: string): Promise<Chunk> {
  const start = ID.exec(text)?.[1]?.toLowerCase();
  if (start === undefined) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      `"${text.slice(0, 80)}" is no citation: give what search prints (strata:…), a passage's id or its beginning (#0d8b53), or a place (guide.md:12).`,
    );
  }
  const known = await backend.chunk(start);
  if (known !== null) return known;
  const found: Chunk[] = [];
  for await (const { id } of allDocuments(backend))
    found.push(...(await backend.chunksOf(id)).filter((chunk) => chunk.id.startsWith(start)));
  if (found.length === 1) return found[0]!;
  throw found.length === 0
    ? new StrataError('NOT_FOUND', `No passage has an id that is or begins with "${start}".`)
    : new StrataError('INVALID_ARGUMENT', `"${text}" begins ${found.length} ids; write more of it`);
}

/** The passage at a line or on a page, as the library holds it; of several the last that begins there or before. */
async function chunkByPlace(place: Place, text: string, cwd?: string): Promise<Chunk | null> {
  const { path, page, line } = PLACE.exec(text)?.groups ?? {};
  if (path === undefined) return null;
  const { id, source_path } = await findDocument(place, path, cwd);
  const at = Number(page ?? line);
  const holds = ({ loc }: Chunk): boolean => {
    const [from, to] =
      page === undefined ? [loc.lines?.from, loc.lines?.to] : [loc.page, loc.page_end ?? loc.page];
    return from !== undefined && to !== undefined && from <= at && at <= to;
  };
  const chunk = (await place.backend.chunksOf(id)).findLast(holds);
  if (chunk !== undefined) return chunk;
  const where = page === undefined ? `at line ${at}` : `on page ${at}`;
  throw new StrataError('NOT_FOUND', `${source_path} has no passage ${where} in the library.`);
}
