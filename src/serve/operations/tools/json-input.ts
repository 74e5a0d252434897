import { resolve } from 'node:path';
import { StrataError } from '../../../model/errors.js';
import type { TableContent } from '../../../tools/tools.js';
import { optionalText } from '../../fields.js';
import type { Context } from '../../operation.js';

/** In characters: as large as a request to a server may be. What is larger is put from a file. */
const LONGEST_JSON = 4 * 2 ** 20;

export const contentField = optionalText('JSON as a text, instead of a file', {
  longest: LONGEST_JSON,
  cli: { value: 'JSON' },
});

/** A file of the person at this machine, or what was sent. */
export function tableContent(
  { file, content }: { readonly file?: string | undefined; readonly content?: string | undefined },
  { cwd, remote }: Context,
): TableContent {
  if ((file === undefined) === (content === undefined))
    throw new StrataError('INVALID_ARGUMENT', 'file, content: name a file, or give the JSON; one of the two');
  if (content !== undefined) return { text: content };
  if (remote)
    throw new StrataError(
      'INVALID_ARGUMENT',
      'file: a server reads no files for its callers; send `content`',
    );
  return { file: resolve(cwd, file!) };
}
