import { isStrataError, reasonOf } from '../../model/errors.js';
import type { ParsedDoc } from '../../model/parsed.js';
import { MOST_PATHS, optionalText, texts } from '../fields.js';
import { operation } from '../operation.js';
import { chunkingFields } from './chunking.js';

export interface ParseAnswer {
  readonly documents: readonly ParsedDoc[];
  readonly failed: readonly { readonly path: string; readonly reason: string; readonly code: string }[];
}

export const parse = operation({
  name: 'parse',
  summary: "Show a file's structure and how it would be cut, without a library",
  description:
    'Parses files and shows their sections and passages as an outline; with --json the whole parsed document (sections, blocks, chunks with offsets, hashes and titles): an object for one file, a list for several.',
  access: 'read',
  library: 'none',
  input: {
    paths: texts('Files', { most: MOST_PATHS, cli: { positional: true, value: 'FILE' } }),
    ...chunkingFields,
    password: optionalText('For encrypted documents', { cli: { value: 'TEXT' } }),
  },
  output: 'parse',
  examples: [
    { command: 'strata parse README.md', explanation: 'the outline' },
    { command: 'strata parse README.md --strategy h2 --json', explanation: 'everything, for programs' },
  ],
  handler: async (_library, { paths, ...options }, { signal }): Promise<ParseAnswer> => {
    const { parse: parseFile } = await import('../../ingest/parse-file.js');
    const documents: ParsedDoc[] = [];
    const failed: ParseAnswer['failed'][number][] = [];
    for (const path of paths) {
      if (signal.aborted) break;
      try {
        documents.push(await parseFile(path, options));
      } catch (error) {
        // A wrong option is wrong for every file.
        if (!isStrataError(error) || error.code === 'INVALID_ARGUMENT') throw error;
        failed.push({ path, reason: reasonOf(error), code: error.code });
      }
    }
    return { documents, failed };
  },
  render: async () => (await import('../render/parse.js')).renderParse,
  problems: ({ failed }) => failed.map(({ reason }) => reason),
  toJson: async ({ documents, failed }) => {
    const { writtenDocument } = await import('../cli/written-document.js');
    const written = documents.map(writtenDocument);
    return documents.length + failed.length === 1 ? written[0] : written;
  },
});
