import { homedir } from 'node:os';
import { dirname, relative, resolve } from 'node:path';
import type { AddEntry, AddReport } from '../../engine/library.js';
import { StrataError } from '../../model/errors.js';
import { type Colours, colours, oneLine, plural, thousands } from '../cli/terminal.js';
import { chunkingFields } from '../fields/chunking.js';
import { flag, MOST_PATHS, optionalInteger, optionalText, optionalTexts, texts } from '../fields.js';
import { say } from '../language/language.js';
import { translate } from '../language/translate.js';
import { agentTool, maxTokensField, withNotice } from '../mcp/agent-tool.js';
import { confine } from '../mcp/roots.js';
import { operation, type View } from '../operation.js';

/** Everything a person has, or a whole disk, is seldom what was meant by `.`. */
async function confirm(
  folder: string,
  ask: ((question: string) => Promise<boolean>) | undefined,
): Promise<void> {
  if (await ask?.(`Add everything below ${folder}?`)) return;
  throw new StrataError(
    'INVALID_ARGUMENT',
    `${folder}: all of it is not added unasked; name a folder in it, or give --yes`,
  );
}

/** In characters: what is longer is a file. */
const LONGEST_NOTE = 1_000_000;

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
    yes: flag('Add a whole home folder or disk without asking'),
    tags: optionalTexts('Tag the documents', { cli: { flag: 'tag', value: 'TAG' } }),
    collection: optionalText('Put the documents into this collection', { cli: { value: 'NAME' } }),
    password: optionalText('For encrypted documents', { cli: { value: 'TEXT' } }),
    ocr: optionalText(
      'Read pictures of text: pages without text and named pictures (auto, the default), none (off), all pages and pictures (always); remembered',
      { choices: ['auto', 'off', 'always'] as const, cli: { value: 'MODE' } },
    ),
    allow_hosts: optionalTexts('Fetch from this host though it is on this machine or a private network', {
      cli: { flag: 'allow-host', value: 'HOST' },
    }),
    embed: flag('Make vectors for search by meaning before returning', {
      fallback: true,
      cli: { no: 'Leave the vectors for later (`strata embed`)' },
    }),
    workers: optionalInteger('Parsing threads (0: none besides this one)', {
      minimum: 0,
      maximum: 64,
      cli: { value: 'N' },
    }),
  },
  output: ({ z }) =>
    z.object({
      added: z.number(),
      changed: z.number(),
      renamed: z.number(),
      unchanged: z.number(),
      removed: z.number(),
      failed: z.number(),
      skipped: z.number().describe('Pictures, archives and the like, met while walking a folder'),
      entries: z
        .array(
          z.object({
            outcome: z.enum(['added', 'changed', 'renamed', 'unchanged', 'removed', 'failed', 'skipped']),
            source_path: z.string(),
            id: z.string().optional(),
            chunk_count: z.number().optional(),
            chunk_ids: z.array(z.string()).optional(),
            from: z.string().optional().describe("A rename's old path"),
            reason: z.string().optional().describe('Why it failed or was skipped'),
            code: z.string().optional(),
            known: z.boolean().optional().describe('It failed before, and has not changed since'),
            warnings: z.array(z.string()).optional(),
          }),
        )
        .describe('One per source; unchanged ones are left out'),
      chunks: z.object({ kept: z.number(), added: z.number(), removed: z.number() }),
      embedded: z.number(),
      dry_run: z.boolean(),
      interrupted: z.boolean(),
      seconds: z.number(),
      notices: z.array(z.string()),
    }),
  subject: ({ paths }) => paths.map(withoutSecrets).join(', '),
  examples: [
    { command: 'strata add docs README.md', explanation: 'a folder and a file' },
    { command: 'strata add --sync ~/notes', explanation: 'and forget what has been deleted there' },
    { command: 'strata add https://nodejs.org/api/fs.html', explanation: 'a web page' },
    { command: 'strata add --dry-run .', explanation: 'what would be added?' },
    { command: 'strata add --ocr always scans', explanation: 'pictures in folders, too' },
  ],
  async handler(library, { paths, yes, ...options }, { signal, progress, cwd, notice, library: chosen }) {
    const targets = paths.filter((path) => !/^https?:/i.test(path)).map((path) => resolve(cwd, path));
    const vast = targets.find((target) => target === homedir() || dirname(target) === target);
    if (vast !== undefined && !yes && !options.dry_run) await confirm(vast, chosen.onConsent);
    // Whoever names a library knows it; a library that was found may be another than the one in mind.
    const isNamed = chosen.library !== undefined || Boolean(process.env.STRATA_LIBRARY);
    if (!isNamed && targets.some((target) => relative(library.root, target).startsWith('..'))) {
      notice(`Library: ${library.location}, the one found from ${cwd}; --library names another.`);
    }
    return library.add(paths, { ...options, signal, onProgress: progress, cwd });
  },
  render: renderAdd,
  problems: (report) =>
    report.entries
      .filter((entry) => entry.outcome === 'failed' && !entry.known)
      .map((entry) => entry.reason ?? `${entry.source_path}: failed`),
  tool: agentTool({
    name: 'add_knowledge',
    title: 'Add to the knowledge base',
    description:
      'Add files, folders or web pages by `paths`, or a note by `title` and `text`, and make them searchable. What is there already and unchanged is skipped; a note with the same title is replaced. Use it when the person asks to remember or to index something.',
    openWorld: true,
    input: {
      paths: optionalTexts('Files, folders or http(s) addresses'),
      title: optionalText('Of a note', { longest: 500 }),
      text: optionalText('Of a note, in Markdown', { longest: LONGEST_NOTE }),
      tags: optionalTexts('Tags for filtering later'),
      collection: optionalText('The collection to put it into'),
      max_tokens: maxTokensField,
    },
    async run(
      library,
      { paths, title, text, tags, collection },
      { signal, progress, cwd, roots, embedBehind },
    ): Promise<AddReport> {
      const options = { tags, collection, signal, onProgress: progress, cwd, embed: false };
      const added = await addWhat();
      embedBehind(library);
      return added;

      async function addWhat(): Promise<AddReport> {
        if (paths !== undefined && paths.length > 0 && text === undefined) {
          const confined = await confine(paths, library, { roots, cwd });
          return library.add(confined.paths, { ...options, within: confined.within });
        }
        if (title !== undefined && text !== undefined && paths === undefined) {
          return library.addText({ title, text }, options);
        }
        throw new StrataError('INVALID_ARGUMENT', 'give either `paths`, or `title` and `text`');
      }
    },
    text(report: AddReport) {
      const counts = (['added', 'changed', 'renamed', 'unchanged', 'removed', 'failed', 'skipped'] as const)
        .filter((outcome) => report[outcome] > 0)
        .map((outcome) => `${report[outcome]} ${outcome}`);
      const entries = report.entries.map(
        (entry) => `${entry.outcome}: ${entry.source_path}${entry.reason ? ` (${entry.reason})` : ''}`,
      );
      return [counts.join(', ') || 'nothing to add', ...entries, ...report.notices].join('\n');
    },
    shrink(report: AddReport) {
      if (report.entries.length === 0) return null;
      const entries = report.entries.slice(0, Math.floor(report.entries.length / 2));
      const notices = withNotice(report.notices, 'Cut to fit max_tokens: ', 'not every file is listed');
      return { ...report, entries, notices };
    },
  }),
});

/** Names listed before the rest is only counted; `--json` has them all. */
const LISTED = 20;

function renderAdd(report: AddReport, view: View): string {
  if (view.quiet) return '';
  const paint = colours(view);
  const lines: string[] = [];
  const shown = report.dry_run ? report.entries : report.entries.filter(isWorthNaming);
  const names = shown.filter((entry) => entry.outcome !== 'failed' && entry.outcome !== 'skipped');
  for (const entry of names.slice(0, report.dry_run ? names.length : LISTED)) lines.push(line(entry, paint));
  if (!report.dry_run && names.length > LISTED)
    lines.push(paint.dim(say('  and {1} more', names.length - LISTED)));
  for (const { source_path, warnings } of report.entries) {
    for (const warning of warnings ?? [])
      lines.push(paint.yellow(`! ${oneLine(source_path)}: ${oneLine(translate(warning))}`));
  }
  const skipped = report.entries.filter((entry) => entry.outcome === 'skipped');
  for (const { source_path, reason } of skipped.slice(0, LISTED)) {
    lines.push(paint.dim(say('  skipped {1}: {2}', oneLine(source_path), translate(reason ?? ''))));
  }
  if (skipped.length > LISTED) lines.push(paint.dim(say('  and {1} more', skipped.length - LISTED)));
  const known = report.entries.filter((entry) => entry.known).length;
  if (known > 0) {
    lines.push(
      paint.dim(
        say(
          '  {1} that could not be read before, unchanged; --force tries again, --json has the reasons',
          plural(known, 'file'),
        ),
      ),
    );
  }
  lines.push(summary(report));
  return lines.join('\n');
}

/** A first add would list every file; what happened to files known before is what people want to see. */
const isWorthNaming = (entry: AddEntry): boolean =>
  entry.outcome === 'renamed' || entry.outcome === 'removed';

const MARKS: Readonly<Record<string, string>> = { added: '+', changed: '~', renamed: '→', removed: '-' };

function line(entry: AddEntry, paint: Colours): string {
  const path = oneLine(entry.source_path);
  const name = entry.from === undefined ? path : `${oneLine(entry.from)} → ${path}`;
  return paint.dim(`${MARKS[entry.outcome] ?? ' '} ${name}`);
}

const OUTCOMES = {
  added: '{1} added',
  changed: '{1} changed',
  renamed: '{1} renamed',
  unchanged: '{1} unchanged',
  removed: '{1} removed',
  skipped: '{1} skipped',
  failed: '{1} failed',
} as const;

function summary(report: AddReport): string {
  const counts = (['added', 'changed', 'renamed', 'unchanged', 'removed', 'skipped', 'failed'] as const)
    .filter((outcome) => report[outcome] > 0 || outcome === 'added')
    .map((outcome) => say(OUTCOMES[outcome], thousands(report[outcome])));
  const made = [plural(report.chunks.added, 'new passage')];
  if (report.embedded > 0) made.push(plural(report.embedded, 'vector'));
  const passages = report.dry_run ? '' : say(' ({1})', made.join(say(', ')));
  const start = report.dry_run ? say('Would be: ') : '';
  const end = report.interrupted ? say(' Interrupted: run it again for the rest.') : '';
  return `${start}${say('{1}{2} in {3} s.', counts.join(say(', ')), passages, report.seconds.toFixed(1))}${end}`;
}

/** An address may hold a password or a signature: the audit log gets neither. */
const withoutSecrets = (path: string): string =>
  path.replace(/^(https?:\/\/)(?:[^/?#]*@)?([^?#]*).*$/is, '$1$2');
