import { Command, CommanderError, Option } from 'commander';
import { VERSION } from '../../model/version.js';
import { say } from '../language/language.js';
import { everyCommand, localisedExamples } from '../language/localise.js';
import { translate } from '../language/translate.js';
import { commandName, type Operation } from '../operation.js';
import { operations } from '../operations.js';
import { commands } from './commands/commands.js';
import { collect, declare, declareLanguage, declareLibrary, declareUser } from './flags.js';
import { GROUPS } from './groups.js';
import { print, printError } from './print.js';

/** What every command understands beside its own input. */
export interface CommonFlags {
  readonly json: boolean;
  readonly quiet: boolean;
  /** See `Operation.formats`; `text` where none is named. */
  readonly format: string;
  readonly full: boolean;
  readonly library: string | undefined;
  readonly store: string | undefined;
  readonly embedder: string | undefined;
  readonly rerank: string | undefined;
  /** Act as this user of the library instead of as its owner. */
  readonly as: string | undefined;
}

type RunOperation = (
  operation: Operation,
  given: Record<string, unknown>,
  flags: CommonFlags,
) => Promise<number>;

/** A usage error has been explained on stderr already. */
export const EXIT_USAGE = 2;

/** The commands, made from the table of operations and the few that are none (servers, completions). */
export function buildProgram(run: RunOperation, onExit: (code: number) => void): Command {
  const program = new Command('strata')
    .description('Long documents in, the exact passage out, in Chinese and in English, with a citation.')
    .version(VERSION, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Show help')
    .helpCommand('help [command]', 'Show help for a command')
    .configureOutput({
      writeOut: (text) => void print(text),
      writeErr: (text) => printError(usageError(text)),
    })
    .exitOverride()
    .showSuggestionAfterError(true)
    .addHelpText('after', () => localisedExamples(START));
  for (const operation of operations) {
    const command = commandOf(program, operation);
    command.description(operation.description);
    declare(command, operation.input);
    commonOptions(command, operation);
    if (operation.library === 'existing' || operation.library === 'create') declareUser(command);
    command.addHelpText('after', () => localisedExamples(examplesText(operation)));
    command.action(async () => {
      const flags = command.opts();
      const given = collect(operation.input, command.processedArgs, flags);
      onExit(await run(operation, given, commonFlags(flags)));
    });
  }
  for (const extra of commands) {
    const command = subcommand(program, extra.name, extra.summary);
    extra.declare(command, { program, onExit });
  }
  for (const command of everyCommand(program)) declareLanguage(command);
  return program;
}

const START = `
Start here:
  strata add docs README.md        # add a folder and a file
  strata search "your question"    # find the passage that answers

Every command: strata <command> --help`;

/** `table put` is a command of the command `table`, which is made with the first of them. */
function commandOf(program: Command, operation: Operation): Command {
  const { name, summary } = operation;
  const [group, word] = commandName(operation).split(' ');
  if (word === undefined) return subcommand(program, name, summary);
  const known = program.commands.find((one) => one.name() === group);
  return subcommand(known ?? groupOf(program, group!), word, summary);
}

/** The help of a group shows an example of each of its commands. */
function groupOf(program: Command, name: string): Command {
  const about = GROUPS[name] ?? '';
  const examples = operations
    .filter((operation) => commandName(operation).startsWith(`${name} `))
    .flatMap((operation) => operation.examples.slice(0, 1));
  return subcommand(program, name, about)
    .description(about)
    .addHelpText('after', () => localisedExamples(examplesText({ examples })));
}

function subcommand(program: Command, name: string, summary: string): Command {
  return program.command(name).summary(summary).exitOverride().helpOption('-h, --help', 'Show help');
}

function commonOptions(command: Command, operation: Operation): void {
  if (operation.library !== 'none') declareLibrary(command);
  if (operation.hasFull) command.option('--full', 'Show everything there is, whole');
  if (operation.formats) {
    const choices = ['text', 'json', ...Object.keys(operation.formats)];
    command.addOption(new Option('--format <form>', 'How to print the answer').choices(choices));
  }
  command.option('--json', 'Print JSON').option('-q, --quiet', 'Print results and errors only');
}

const commonFlags = (flags: Record<string, unknown>): CommonFlags => ({
  json: flags.json === true || flags.format === 'json',
  quiet: flags.quiet === true,
  format: typeof flags.format === 'string' ? flags.format : 'text',
  full: flags.full === true,
  library: flags.library as string | undefined,
  store: flags.store as string | undefined,
  embedder: flags.embedder as string | undefined,
  rerank: flags.rerank as string | undefined,
  as: flags.as as string | undefined,
});

function examplesText({ examples }: Pick<Operation, 'examples'>): string {
  const width = Math.max(...examples.map(({ command }) => command.length));
  const lines = examples.map(({ command, explanation }) => `  ${command.padEnd(width)}  # ${explanation}`);
  return `\nExamples:\n${lines.join('\n')}`;
}

/** Commander's own words about a wrong use, one line or two: where it knows no next step, help is the next step. */
function usageError(text: string): string {
  const lines = text.trimEnd().split('\n').map(translate);
  if (lines.length > 1 || !NO_NEXT_STEP.test(text)) return lines.join('\n');
  const meant = OTHER_NAMES.get(/^error: unknown command '(\w+)'/.exec(text)?.[1] ?? '');
  if (meant !== undefined) return `${lines[0]}\n${say('(Did you mean {1}?)', meant)}`;
  return say('{1} (--help shows what there is)', lines[0]!);
}

/** What other programs call our commands. */
const OTHER_NAMES = new Map([
  ['index', 'add'],
  ['import', 'add'],
  ['init', 'add'],
  ['ingest', 'add'],
  ['ask', 'search'],
  ['find', 'search'],
  ['query', 'search'],
  ['delete', 'remove'],
  ['rm', 'remove'],
  ['ls', 'list'],
  ['cat', 'show'],
  ['info', 'status'],
  ['export', 'backup'],
  ['check', 'doctor'],
]);

const NO_NEXT_STEP = /^error: (unknown (command|option)|missing|too many|option '[^']*' argument missing)/;

/** Help and version are no errors; everything else commander throws is a usage error. */
export function usageExit(error: unknown): number | null {
  if (!(error instanceof CommanderError)) return null;
  return error.exitCode === 0 ? 0 : EXIT_USAGE;
}
