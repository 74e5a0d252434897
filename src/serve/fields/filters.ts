import type { Library, SearchOptions } from '../../engine/library.js';
import { CONTENT_TYPES } from '../../model/chunk.js';
import { group, type InputOf, optionalText, optionalTexts } from '../fields.js';

/** As `Filter` of the public API names them: `{"filter": {"path": "docs"}}` over HTTP and MCP, `--path docs` here. */
const filterFields = {
  path: optionalText(
    'Only documents at or below this path (as the library shows it), or matching this glob',
    {
      cli: { value: 'PATH' },
    },
  ),
  file_types: optionalTexts('Only documents of these file types: markdown, text, pdf, docx, html, …', {
    cli: { flag: 'file-type', value: 'TYPE' },
  }),
  content_types: optionalTexts('Only passages of these kinds', {
    choices: CONTENT_TYPES,
    cli: { flag: 'type', value: 'KIND' },
  }),
  tags: optionalTexts('Only documents with all of these tags', { cli: { flag: 'tag', value: 'TAG' } }),
  collections: optionalTexts('Only documents of these collections', {
    cli: { flag: 'collection', value: 'NAME' },
  }),
  updated_after: optionalText('Only documents changed at or after this date (2026-01-31, or with a time)', {
    date: true,
    cli: { flag: 'after', value: 'DATE' },
  }),
  updated_before: optionalText('Only documents changed before this date', {
    date: true,
    cli: { flag: 'before', value: 'DATE' },
  }),
} as const;

/** The filter every search and listing takes. All that is given must hold. */
export const filterField = group('Only what passes: all that is given must hold', filterFields);

type Filter = NonNullable<SearchOptions['filter']>;

/** The filter as the engine takes it. */
export function filterOf(
  given: InputOf<typeof filterFields> | undefined,
  library: Library,
): Filter | undefined {
  if (given === undefined) return undefined;
  const { path, updated_after, updated_before, ...rest } = given;
  const filter: Filter = {
    ...(Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as Filter),
    ...(path !== undefined && { path: pathAsKept(path, library) }),
    ...(updated_after !== undefined && { updated_after: new Date(updated_after).toISOString() }),
    ...(updated_before !== undefined && { updated_before: new Date(updated_before).toISOString() }),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}

/** `./docs` and `docs` mean the same; so does an absolute path below the root. */
function pathAsKept(path: string, library: Library): string {
  const posix = path.replaceAll('\\', '/').replace(/^(\.\/)+/, '');
  const root = `${library.root.replaceAll('\\', '/')}/`;
  const relative = posix.startsWith(root) ? posix.slice(root.length) : posix;
  return relative === '.' ? '' : relative;
}
