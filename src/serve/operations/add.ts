import { flag, MOST_PATHS, optionalInteger, optionalText, optionalTexts, texts } from '../fields.js';
import { operation } from '../operation.js';
import { chunkingFields } from './chunking.js';

export const add = operation({
  name: 'add',
  summary: 'Add files, folders and web pages, or bring them up to date',
  description:
    'Reads the given files and folders into the library and makes them searchable. Files that have not changed are skipped, changed ones replaced, renamed ones recognised (they keep their id). A web address is fetched again only if its server says that it has changed. In folders, hidden files and what .gitignore and .strataignore name are left out. A file that cannot be read is reported with the reason; the others are added all the same.',
  access: 'write',
  library: 'create',
  input: {
    paths: texts('Files, folders and http(s) addresses', {
      most: MOST_PATHS,
      cli: { positional: true, value: 'PATH' },
    }),
    ...chunkingFields,
    sync: flag('Also remove documents whose files have vanished below the given folders'),
    dry_run: flag('Say what would happen, change nothing'),
    force: flag('Read again even what looks unchanged'),
    tags: optionalTexts('Tag the documents', { cli: { flag: 'tag', value: 'TAG' } }),
    collection: optionalText('Put the documents into this collection', { cli: { value: 'NAME' } }),
    password: optionalText('For encrypted documents', { cli: { value: 'TEXT' } }),
    allow_hosts: optionalTexts('Fetch from this host though it is on this machine or a private network', {
      cli: { flag: 'allow-host', value: 'HOST' },
    }),
    embed: flag('Make vectors for search by meaning before returning', { fallback: true }),
    workers: optionalInteger('Parsing threads (0: none besides this one)', {
      minimum: 0,
      maximum: 64,
      cli: { value: 'N' },
    }),
  },
  output: 'add',
  examples: [
    { command: 'strata add docs README.md', explanation: 'a folder and a file' },
    { command: 'strata add --sync ~/notes', explanation: 'and forget what has been deleted there' },
    { command: 'strata add https://nodejs.org/api/fs.html', explanation: 'a web page' },
    { command: 'strata add --dry-run .', explanation: 'what would be added?' },
  ],
  handler: (library, { paths, ...options }, { signal, progress, cwd }) =>
    library.add(paths, { ...options, signal, onProgress: progress, cwd }),
  render: async () => (await import('../render/add.js')).renderAdd,
  problems: (report) =>
    report.entries
      .filter((entry) => entry.outcome === 'failed')
      .map((entry) => entry.reason ?? `${entry.source_path}: failed`),
});
