import { rm } from 'node:fs/promises';
import type { Library, LibraryOptions } from '../../engine/library.js';
import { isStrataError } from '../../model/errors.js';
import { LOCAL_PRINCIPAL, type Principal } from '../../tools/access/principal.js';
import { readInput } from '../fields.js';
import { say } from '../language/language.js';
import { translate } from '../language/translate.js';
import { changesLibrary, noted } from '../noted.js';
import type { Context, Operation, Shown, View } from '../operation.js';
import type { CommonFlags } from './cli.js';
import { askOnTerminal } from './consent.js';
import { written } from './flags.js';
import { jsonPieces } from './json-pieces.js';
import { showsLinks } from './link.js';
import { isEmptyLibrary, wouldBeNew } from './new-library.js';
import { page } from './pager.js';
import { columnsOf, print, printError } from './print.js';
import { type ProgressBar, progressBar } from './progress.js';
import { foldLines } from './terminal.js';

export const EXIT_FAILED = 1;
/** 128 + SIGINT, as shells have it. */
const EXIT_INTERRUPTED = 130;

/** One operation, from flags to printed answer. Gives the exit code. */
export async function runOperation(
  operation: Operation,
  given: Record<string, unknown>,
  flags: CommonFlags,
): Promise<number> {
  const input = readInput(operation.input, given, written);
  const bar = progressBar(process.stderr, !flags.quiet);
  const interrupt = interruptible(bar);
  const notice = (line: string): void => {
    bar.clear();
    if (!flags.quiet) printError(translate(line));
  };
  const library = libraryOptions(operation, flags, notice);
  const context: Context = {
    principal: LOCAL_PRINCIPAL,
    signal: interrupt.signal,
    progress: (progress) => bar.show(progress),
    notice,
    cwd: process.cwd(),
    isText: !flags.json,
    library,
  };
  try {
    let root: string | undefined;
    const answer = await withLibrary(operation, library, input, (opened) => {
      root = opened?.root;
      return asUser(operation, opened, input, context, flags.as);
    });
    bar.clear();
    await printAnswer(operation, answer, flags, input, root);
    const problems = operation.problems?.(answer) ?? [];
    for (const problem of onScreen(problems)) printError(say('strata: {1}', translate(problem)));
    if (interrupt.signal.aborted) return EXIT_INTERRUPTED;
    return problems.length > 0 ? EXIT_FAILED : 0;
  } catch (error) {
    bar.clear();
    if (interrupt.signal.aborted) return EXIT_INTERRUPTED;
    throw error;
  } finally {
    interrupt.stop();
  }
}

/** As the library's owner, or as the user that `--as` names; what changes the library is noted in its audit log. */
async function asUser(
  operation: Operation,
  library: Library | null,
  input: Readonly<Record<string, unknown>>,
  context: Context,
  user: string | undefined,
): Promise<unknown> {
  if (library === null) return operation.handler(library, input, context);
  const principal = user === undefined ? context.principal : await userOf(library, user);
  const work = async (): Promise<unknown> => {
    const seen = user === undefined ? library : await seenBy(principal, library, operation);
    return operation.handler(seen, input, { ...context, principal });
  };
  const isDry = input.dry_run === true;
  if (user === undefined && (isDry || !changesLibrary(operation))) return work();
  const { auditLog } = await import('../../tools/access/audit.js');
  const log = auditLog(library.location, context.notice);
  try {
    return await noted(log, { principal, via: 'cli', operation, input, address: null }, work);
  } finally {
    await log.flush();
  }
}

async function seenBy(principal: Principal, library: Library, operation: Operation): Promise<Library> {
  const { libraryFor } = await import('../../tools/access/granted-library.js');
  return libraryFor(principal, library, operation);
}

async function userOf(library: Library, name: string): Promise<Principal> {
  const { accessOf } = await import('../../tools/access/access.js');
  return accessOf(library).principalNamed(name);
}

/** A folder of scans must not push its own summary off the screen; a file or another program gets every line. */
const MOST_ON_SCREEN = 20;

function onScreen(problems: readonly string[]): readonly string[] {
  if (!process.stderr.isTTY || problems.length <= MOST_ON_SCREEN) return problems;
  const left = problems.length - MOST_ON_SCREEN;
  return [...problems.slice(0, MOST_ON_SCREEN), `and ${left} more; --json has them all`];
}

function libraryOptions(
  operation: Operation,
  flags: CommonFlags,
  onNotice: (line: string) => void,
): LibraryOptions {
  const { library, store, embedder, rerank } = flags;
  const create = operation.library === 'create';
  const named = { library, store, embedder, rerank };
  return { ...named, cwd: process.cwd(), create, onNotice, onConsent: askOnTerminal() };
}

async function withLibrary<T>(
  operation: Operation,
  options: LibraryOptions,
  input: Readonly<Record<string, unknown>>,
  use: (library: Library | null) => Promise<T>,
): Promise<T> {
  if (operation.library === 'none' || operation.library === 'own') return use(null);
  const [{ openLibrary }, { lowerPriority }] = await Promise.all([
    import('../../engine/open.js'),
    import('../../ingest/worker/lower-priority.js'),
  ]);
  if (operation.access === 'write') lowerPriority();
  // Saying what would happen to a library that is not there must not make one.
  const dry = operation.library === 'create' && input.dry_run === true;
  const isNew = operation.library === 'create' && (await wouldBeNew(options));
  const library = await openLibrary({ ...options, create: options.create === true && !dry }).catch(
    (error) => {
      if (dry && isStrataError(error, 'NOT_FOUND')) return openLibrary({ ...options, store: 'memory' });
      throw error;
    },
  );
  let isEmpty = false;
  try {
    const answer = await use(library);
    isEmpty = isNew && (operation.problems?.(answer) ?? []).length > 0 && (await isEmptyLibrary(library));
    return answer;
  } catch (error) {
    isEmpty = isNew && (await isEmptyLibrary(library));
    throw error;
  } finally {
    await library.close();
    if (isEmpty) await rm(library.location, { recursive: true, force: true });
  }
}

async function printAnswer(
  operation: Operation,
  answer: unknown,
  flags: CommonFlags,
  input: Readonly<Record<string, unknown>>,
  root: string | undefined,
): Promise<void> {
  const view = { ...viewOf(flags), root };
  if (flags.json) {
    const value = operation.toJson ? await operation.toJson(answer, input, view) : answer;
    return value === undefined ? undefined : writeOut(jsonPieces(value), 'json');
  }
  const format = operation.formats?.[flags.format];
  if (format !== undefined) {
    const kind = flags.format === 'jsonl' ? 'json' : 'plain';
    return writeOut(piecesOf(await format(answer, view)), kind);
  }
  const rendered = await operation.render(answer, view, input);
  const isAnswer = typeof rendered === 'string' && operation.isRaw?.(input) !== true;
  const shown = isAnswer ? foldLines(rendered, view.width) : rendered;
  const kind = view.colour ? 'styled' : 'plain';
  if (typeof shown === 'string' && (await page(shown, kind))) return undefined;
  return writeOut(piecesOf(shown), kind);
}

const piecesOf = (shown: Shown): Iterable<string> => (typeof shown === 'string' ? [shown] : shown);

/** In characters: more than a pipe holds. */
const AT_ONCE = 64 * 1024;

/** Waits for a slow reader: nothing is lost when the process ends, and little is held until then. */
async function writeOut(pieces: Iterable<string>, kind: 'plain' | 'styled' | 'json'): Promise<void> {
  let waiting: string[] = [];
  let length = 0;
  let isEmpty = true;
  for (const piece of pieces) {
    waiting.push(piece);
    length += piece.length;
    if (length < AT_ONCE) continue;
    await print(waiting.join(''), kind);
    isEmpty = false;
    waiting = [];
    length = 0;
  }
  if (length > 0 || !isEmpty) await print(`${waiting.join('')}\n`, kind);
}

function viewOf(flags: CommonFlags): View {
  const { env, stdout } = process;
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0';
  const colour = !env.NO_COLOR && (forced || (stdout.isTTY === true && env.TERM !== 'dumb'));
  const width = stdout.isTTY ? columnsOf(stdout) : Number.POSITIVE_INFINITY;
  const links = colour && showsLinks(env, stdout.isTTY === true);
  return { colour, width, links, quiet: flags.quiet, full: flags.full, cwd: process.cwd() };
}

/** The first Ctrl-C asks the work to end after the document at hand; the second ends the program. */
function interruptible(bar: ProgressBar): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const onSignal = (): void => {
    bar.clear();
    if (controller.signal.aborted) process.exit(EXIT_INTERRUPTED);
    controller.abort();
    printError(say('Finishing the document at hand; press Ctrl-C again to stop at once.'));
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    stop: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
