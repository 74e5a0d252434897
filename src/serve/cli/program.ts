import { isStrataError, reasonOf } from '../../model/errors.js';
import { chooseLanguage, languageOf, say } from '../language/language.js';
import { localise } from '../language/localise.js';
import { translate } from '../language/translate.js';
import { buildProgram, EXIT_USAGE, usageExit } from './cli.js';
import { withLeadingFlags } from './leading-flags.js';
import { printError } from './print.js';
import { EXIT_FAILED, runOperation } from './run.js';

/** The command, from arguments to exit code. Only glue: what it does is in the table of operations. */
export async function runProgram(): Promise<void> {
  // The program is one bundle: without its source map a stack would name no file of ours.
  if (process.env.STRATA_DEBUG) process.setSourceMapsEnabled(true);
  // `strata list | head` is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  const onExit = (code: number): void => {
    process.exitCode = code;
  };
  try {
    await chooseLanguage(languageOf(process.argv.slice(2), process.env));
    const program = buildProgram(runOperation, onExit);
    localise(program);
    await program.parseAsync(withLeadingFlags(program, process.argv.slice(2)), { from: 'user' });
  } catch (error) {
    process.exitCode = usageExit(error) ?? report(error);
  }
}

/** One line that names the thing, the reason and the next step. The stack is for whoever asks for it. */
function report(error: unknown): number {
  const known = isStrataError(error);
  const hint = known ? '' : say(' (a defect in Strata: STRATA_DEBUG=1 shows where)');
  printError(say('strata: {1}', `${translate(reasonOf(error))}${hint}`));
  if (process.env.STRATA_DEBUG && error instanceof Error) printError(`${error.stack}`);
  return isStrataError(error, 'INVALID_ARGUMENT') ? EXIT_USAGE : EXIT_FAILED;
}
