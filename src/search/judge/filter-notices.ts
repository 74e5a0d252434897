import { StrataError } from '../../model/errors.js';
import type { Backend } from '../../store/backend.js';
import type { Filter } from '../../store/filter.js';

/** What is said when nothing in the library passes this part of a filter. */
const UNMET: Readonly<Record<keyof Filter, string>> = {
  doc_ids: 'No document here has the id',
  path: 'Nothing in the library is at or below the path',
  file_types: 'No document here is of the file type',
  content_types: 'No passage here is of the kind',
  tags: 'No document here has the tags',
  collections: 'No document here is in the collection',
  updated_after: 'No document here was changed at or after',
  updated_before: 'No document here was changed before',
  tools: 'No table has strings of the tool',
  granted_tables: 'No search tool has indexed a string of the table',
};

/** A filter that is not known would restrict nothing, or everything, without a word. */
export function checkFilter(filter: Filter | undefined): void {
  const known = Object.keys(UNMET).join(', ');
  const given: unknown = filter ?? {};
  // Other libraries filter by a function or by words: those have no fields, and would restrict nothing.
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw new StrataError('INVALID_ARGUMENT', `the filter is not an object: give it some of ${known}.`);
  }
  const unknown = Object.keys(given as object).filter((name) => !Object.hasOwn(UNMET, name));
  if (unknown.length > 0) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      `filter "${unknown.join('", "')}" is unknown: use some of ${known}.`,
    );
  }
  for (const [name, value] of Object.entries(given as object)) checkValue(name, value);
}

/** The others take lists. */
const SINGLE = new Set(['path', 'updated_after', 'updated_before']);

/** Programs in JavaScript, and LangChain's users, have no compiler to tell them. */
function checkValue(name: string, value: unknown): void {
  if (value === undefined) return;
  const isText = (one: unknown): boolean => typeof one === 'string';
  const fits = SINGLE.has(name) ? isText(value) : Array.isArray(value) && value.every(isText);
  if (fits) return;
  const wanted = SINGLE.has(name) ? 'a text' : 'a list of texts';
  throw new StrataError('INVALID_ARGUMENT', `filter "${name}" must be ${wanted}.`);
}

/** For an empty answer: the parts of the filter that nothing in the library meets, whatever the question. */
export async function unmetFilters(backend: Backend, filter: Filter | undefined): Promise<string[]> {
  const notices: string[] = [];
  // Whoever sees some tables only must not learn here what else the library has.
  const { granted_tables } = filter ?? {};
  const visible = granted_tables === undefined ? {} : { granted_tables };
  for (const [name, value] of Object.entries(filter ?? {}) as [keyof Filter, Filter[keyof Filter]][]) {
    if (value === undefined || (await isMet(backend, { ...visible, [name]: value }))) continue;
    const given = [value].flat().map((one) => `"${one}"`);
    notices.push(`${UNMET[name]} ${given.join(', ')}: \`strata list\` shows what there is.`);
  }
  return notices;
}

const isMet = async (backend: Backend, filter: Filter): Promise<boolean> =>
  (await backend.documents({ filter, limit: 1 })).length > 0;
