import type { AddEntry } from '../../../engine/library.js';
import { say } from '../../language/language.js';
import { localisedExamples } from '../../language/localise.js';
import { translate } from '../../language/translate.js';
import { declareLibrary } from '../flags.js';
import { print, printError } from '../print.js';
import { oneLine } from '../terminal.js';
import type { ExtraCommand } from './commands.js';

/** `strata watch`: the library follows a folder until Ctrl-C. */

interface WatchFlags {
  readonly library?: string;
  readonly store?: string;
  readonly embedder?: string;
  readonly embed: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly tag?: readonly string[];
  readonly collection?: string;
}

const EXAMPLES = `
Examples:
  strata watch                   # the current folder
  strata watch ~/notes --json    # a line of JSON a change`;

export const watchCommand: ExtraCommand = {
  name: 'watch',
  summary: 'Keep the library in step with a folder, until Ctrl-C',
  declare(command, { onExit }) {
    declareLibrary(command)
      .description(
        'First brings the library up to date with the folder (new, changed and deleted files), then follows every change. One line per change.',
      )
      .argument('[folder]', 'The folder to follow', '.')
      .option('--no-embed', 'Leave the vectors to a later `strata add` or a server')
      .option('--tag <name...>', 'Tags for what is added')
      .option('--collection <name>', 'The collection for what is added')
      .option('--json', 'A line of JSON a change')
      .option('-q, --quiet', 'Changes and errors only')
      .addHelpText('after', () => localisedExamples(EXAMPLES))
      .action(async (folder: string, flags: WatchFlags) => {
        await follow(folder, flags);
        onExit(0);
      });
  },
};

async function follow(folder: string, flags: WatchFlags): Promise<void> {
  const [{ openLibrary }, { folderToWatch, watch }, { lowerPriority }] = await Promise.all([
    import('../../../engine/open.js'),
    import('../../../ingest/watch.js'),
    import('../../../ingest/worker/lower-priority.js'),
  ]);
  lowerPriority();
  await folderToWatch(folder);
  const notice = (line: string): void => {
    if (!flags.quiet) printError(say('strata: {1}', translate(line)));
  };
  const ending = new AbortController();
  const onSignal = (): void => {
    if (ending.signal.aborted) process.exit(130);
    ending.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  const { library: location, store, embedder } = flags;
  const library = await openLibrary({ library: location, store, embedder, create: true, onNotice: notice });
  try {
    await watch(library, folder, {
      signal: ending.signal,
      embed: flags.embed,
      tags: flags.tag,
      collection: flags.collection,
      onEntry: (entry) =>
        flags.json ? print(`${JSON.stringify(entry)}\n`, 'json') : print(`${describe(entry)}\n`),
      onNotice: notice,
      onReady: () => notice(`watching ${folder}; Ctrl-C to stop`),
    });
  } finally {
    await library.close();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

function describe({ outcome, source_path, from, reason, warnings }: AddEntry): string {
  const what = from === undefined ? source_path : `${from} → ${source_path}`;
  const why = reason ?? warnings?.join('; ');
  return oneLine(`${say(outcome)} ${what}${why === undefined ? '' : ` (${translate(why)})`}`);
}
