import { type Command, InvalidArgumentError, Option } from 'commander';
import { STORE_HELP } from '../../engine/driver-table.js';
import { type Field, type Fields, flagName } from '../fields.js';

/** An operation's fields as a command's arguments and flags, and back. */

export function declare(command: Command, fields: Fields): void {
  for (const [name, field] of Object.entries(fields)) {
    if (field.fields !== undefined) declare(command, field.fields);
    else if (field.cli?.positional) command.argument(argumentSpec(name, field), helpText(field));
    else command.addOption(optionFor(name, field));
  }
}

/** Which library, kept by whom, read by which model: the same flags for every command that opens one. */
export function declareLibrary(command: Command): Command {
  return command
    .option(
      '--library <dir>',
      "The library's folder (else STRATA_LIBRARY, .strata in the project, your data folder)",
    )
    .option('--store <spec>', STORE_HELP)
    .option(
      '--embedder <spec>',
      'The model for search by meaning: local, local:FOLDER, openai:MODEL, ollama:MODEL, or none',
    )
    .option(
      '--rerank <spec>',
      'What reads the best passages again: local:FOLDER, https://…/rerank#MODEL, or none (else STRATA_RERANK, none)',
    );
}

/** Read before all else (`languageOf`), since help and errors are in that language too; declared to be known and listed. */
export function declareLanguage(command: Command): Command {
  return command.option(
    '--lang <language>',
    'Speak English (en) or Chinese (zh); else as LANG says',
    parseLanguage,
  );
}

/** `zh_CN.UTF-8` is one, too. */
function parseLanguage(text: string): string {
  if (/^(en|zh)([-_.@]|$)/i.test(text)) return text;
  throw new InvalidArgumentError('It is en or zh.');
}

/**
 * Whoever can open a library's files is its owner, so this protects nothing: it shows what a user may do and find, and puts
 * that user's name into the audit log.
 */
export function declareUser(command: Command): Command {
  return command.option(
    '--as <user>',
    'Act as this user of the library, with the user’s rights (else as its owner)',
  );
}

/** What was written on the command line, by field name. Checked later, by `readInput`, like everyone's input. */
export function collect(fields: Fields, positional: readonly unknown[], flags: Record<string, unknown>) {
  const given: Record<string, unknown> = {};
  let at = 0;
  for (const [name, field] of Object.entries(fields)) {
    if (field.fields !== undefined) given[name] = someOf(collect(field.fields, [], flags));
    else if (!field.cli?.positional) given[name] = flags[attribute(name, field)];
    else given[name] = wholeArgument(field, positional[at++]);
  }
  return given;
}

const someOf = (given: Record<string, unknown>): Record<string, unknown> | undefined =>
  Object.values(given).some((value) => value !== undefined) ? given : undefined;

/** A field as the person wrote it: `--max-tokens`, or what stands for an argument. */
export const written = (name: string, field: Field): string =>
  field.cli?.positional ? (field.cli.value ?? name.toUpperCase()) : `--${flagName(name, field)}`;

/** `strata search how are chunks cut` needs no quotes. */
const wholeArgument = (field: Field, value: unknown): unknown =>
  field.kind === 'text' && Array.isArray(value) ? value.join(' ') : value;

function argumentSpec(name: string, field: Field): string {
  const spec = `${(field.cli?.value ?? name).toLowerCase()}${isVariadic(field) ? '...' : ''}`;
  return field.optional ? `[${spec}]` : `<${spec}>`;
}

const isVariadic = (field: Field): boolean => field.kind === 'texts' || field.cli?.joined === true;

function optionFor(name: string, field: Field): Option {
  const long = `--${field.kind === 'flag' && field.fallback === true ? 'no-' : ''}${flagName(name, field)}`;
  const short = field.cli?.short ? `-${field.cli.short}, ` : '';
  const value = field.kind === 'flag' ? '' : ` <${(field.cli?.value ?? 'value').toLowerCase()}>`;
  const option = new Option(`${short}${long}${value}`, helpText(field));
  if (field.kind === 'integer' || field.kind === 'number')
    option.argParser(field.cli?.percent ? parsePercent : parseNumber);
  // Commander checks choices before a parser of ours would see them, and keeps only the last of several: do both here.
  if (field.kind === 'texts')
    option.argParser((one: string, before: string[] | undefined) => [...(before ?? []), one]);
  if (field.choices && field.kind === 'text') option.choices([...field.choices]);
  return option;
}

function helpText(field: Field): string {
  const notes: string[] = [];
  if (field.kind === 'texts' && !field.cli?.positional) notes.push('repeatable');
  if ((field.kind === 'texts' || field.cli?.positional) && field.choices)
    notes.push(`one of ${field.choices.join(', ')}`);
  if (field.fallback !== undefined && field.kind !== 'flag') notes.push(`default ${String(field.fallback)}`);
  const description = field.fallback === true ? (field.cli?.no ?? field.description) : field.description;
  return notes.length > 0 ? `${description} (${notes.join('; ')})` : description;
}

/** The name commander keeps a flag's value under. */
const attribute = (name: string, field: Field): string =>
  flagName(name, field).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value))
    throw new InvalidArgumentError(`"${text}" is no number; write one, such as 10.`);
  return value;
}

/** `70` and `70%` are 0.7. */
function parsePercent(text: string): number {
  const value = parseNumber(text.replace(/ ?%$/, ''));
  if (value < 0 || value > 100) throw new InvalidArgumentError('It is a percentage, from 0 to 100.');
  return value / 100;
}
