import type { Library, SearchOptions } from '../../engine/library.js';
import { CONTENT_TYPES } from '../../model/chunk.js';
import { StrataError } from '../../model/errors.js';
import { type InputOf, optionalText, optionalTexts } from '../fields.js';

/** The filters every search and listing takes. All that are given must hold. */
export const filterFields = {
  path: optionalText(
    'Only documents at or below this path (as the library shows it), or matching this glob',
    {
      cli: { value: 'PATH' },
    },
  ),
  formats: optionalTexts('Only documents of these formats: markdown, text, pdf, …', {
    cli: { flag: 'format', value: 'NAME' },
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
    cli: { flag: 'after', value: 'DATE' },
  }),
  updated_before: optionalText('Only documents changed before this date', {
    cli: { flag: 'before', value: 'DATE' },
  }),
} as const;

type Filter = NonNullable<SearchOptions['filter']>;

export function filterOf(input: InputOf<typeof filterFields>, library: Library): Filter | undefined {
  const filter: Filter = {
    ...(input.path !== undefined && { path: pathAsKept(input.path, library) }),
    ...(input.formats && { formats: input.formats }),
    ...(input.content_types && { content_types: input.content_types }),
    ...(input.tags && { tags: input.tags }),
    ...(input.collections && { collections: input.collections }),
    ...(input.updated_after !== undefined && { updated_after: dateOf('updated_after', input.updated_after) }),
    ...(input.updated_before !== undefined && {
      updated_before: dateOf('updated_before', input.updated_before),
    }),
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

function dateOf(name: string, text: string): string {
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date.toISOString();
  throw new StrataError('INVALID_ARGUMENT', `${name}: "${text}" is no date; write it as 2026-01-31`);
}
