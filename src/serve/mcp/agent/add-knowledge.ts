import type { AddReport } from '../../../engine/library.js';
import { StrataError } from '../../../model/errors.js';
import { optionalText, optionalTexts } from '../../fields.js';
import { outputs } from '../../outputs.js';
import { confine } from './roots.js';
import { agentTool, maxTokensField, withNotice } from './tool.js';

/** In characters: what is longer is a file. */
const LONGEST_NOTE = 1_000_000;

export const addKnowledge = agentTool({
  name: 'add_knowledge',
  title: 'Add to the knowledge base',
  description:
    'Add files, folders or web pages by `paths`, or a note by `title` and `text`, and make them searchable. What is there already and unchanged is skipped; a note with the same title is replaced. Use it when the person asks to remember or to index something.',
  access: 'write',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: {
    paths: optionalTexts('Files, folders or http(s) addresses'),
    title: optionalText('Of a note', { longest: 500 }),
    text: optionalText('Of a note, in Markdown', { longest: LONGEST_NOTE }),
    tags: optionalTexts('Tags for filtering later'),
    collection: optionalText('The collection to put it into'),
    max_tokens: maxTokensField,
  },
  output: outputs.add,
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
});
