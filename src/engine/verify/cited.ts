import type { Citation } from '../../model/citation.js';
import { StrataError } from '../../model/errors.js';
import { type Cited, citation, parseCitation } from '../../search/show/cite.js';
import { type RootedBackend, resolveTarget } from '../resolve.js';

/** What a person means by a citation: one that was printed, a passage's id, or a place in a file. */
export async function resolveCited(
  place: RootedBackend,
  cited: string | Citation,
  cwd?: string,
): Promise<Cited> {
  const parsed = parseCitation(cited);
  if (parsed !== null) return parsed;
  const text = typeof cited === 'string' ? cited : cited.ref;
  const { document, chunk } = await resolveTarget(place, text, cwd);
  if (chunk !== null) return parseCitation(citation(document, chunk))!;
  throw new StrataError(
    'INVALID_ARGUMENT',
    `${document.source_path} is a whole document: name a passage of it, such as ${document.source_path}:1, its id, or what search prints.`,
  );
}

/** What is asked for by a citation: a document and a passage, which are two documents' own in a forged one. */
export function namesIn(cited: string | Citation): string[] {
  const parsed = parseCitation(cited);
  if (parsed !== null) return [parsed.doc_id, parsed.chunk_id];
  return [typeof cited === 'string' ? cited : cited.ref];
}
