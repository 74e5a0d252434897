import * as z from 'zod';
import { ERROR_CODES } from '../../model/errors.js';
import { type Field, flagName } from '../fields.js';
import { say } from '../language/language.js';
import { localise } from '../language/localise.js';
import { commandName, type Operation } from '../operation.js';
import { operations } from '../operations.js';
import { outputSchema } from '../schemas.js';
import { buildProgram } from './cli.js';
import { commands } from './commands/commands.js';

/** docs/reference.md: every command with its arguments, flags, examples and answer, from the table itself, in the language chosen. */
export function referenceText(): string {
  const parts = [
    say('# Reference'),
    '',
    say('Made from the table of operations by `npm run docs`; do not edit.'),
    '',
    ...operations.flatMap(operationText),
    ...commands.flatMap((command) => extraText(command.name)),
    ...exitCodes(),
    say('## Error codes'),
    '',
    say('Programs that use the library branch on `error.code`; messages may change, codes do not.'),
    '',
    ...table(
      [say('code'), say('meaning')],
      Object.entries(ERROR_CODES).map(([code, meaning]) => [`\`${code}\``, say(meaning)]),
    ),
  ];
  return `${parts.join('\n').trimEnd()}\n`;
}

function operationText(operation: Operation): string[] {
  const fields = Object.entries(operation.input);
  const positional = fields.filter(([, field]) => field.cli?.positional);
  const usage = positional.map(([name, field]) => `${field.cli?.value ?? name}${many(field)}`);
  return [
    `## strata ${commandName(operation)}`,
    '',
    say(operation.description),
    '',
    '```sh',
    ['strata', commandName(operation), ...usage, '[options]'].join(' '),
    ...operation.examples.map(({ command, explanation }) => `${command}  # ${say(explanation)}`),
    '```',
    '',
    ...(fields.length === 0
      ? []
      : table(
          [say('option'), say('in JSON'), say('meaning')],
          fields.flatMap(([name, field]) => rows(name, field)),
        )),
    say('Access: {1}. Answer (`--json`): {2}', operation.access, shape(outputSchema(operation))),
    '',
  ];
}

const rows = (name: string, field: Field, within = ''): string[][] =>
  field.fields === undefined
    ? [[optionText(name, field), `\`${within}${name}\``, meaning(field)]]
    : Object.entries(field.fields).flatMap(([own, one]) => rows(own, one, `${name}.`));

const many = (field: Field): string => (field.kind === 'texts' || field.cli?.joined ? '…' : '');

function optionText(name: string, field: Field): string {
  if (field.cli?.positional) return `\`${field.cli.value ?? name}\``;
  const no = field.kind === 'flag' && field.fallback === true ? 'no-' : '';
  const value = field.kind === 'flag' ? '' : ` ${field.cli?.value ?? 'VALUE'}`;
  const short = field.cli?.short ? `-${field.cli.short}, ` : '';
  return `\`${short}--${no}${flagName(name, field)}${value}\``;
}

function meaning(field: Field): string {
  const notes = [
    ...(field.kind === 'texts' && !field.cli?.positional ? [say('repeatable')] : []),
    ...(field.choices ? [say('one of {1}', field.choices.map((choice) => `\`${choice}\``).join(', '))] : []),
    ...(field.fallback !== undefined && field.kind !== 'flag'
      ? [say('default {1}', String(field.fallback))]
      : []),
    ...(field.fallback === true ? [say('on by default')] : []),
  ];
  const description = say(field.description);
  return notes.length === 0 ? description : `${description}${say(' ({1})', notes.join(say('; ')))}`;
}

/** The answer's fields, one level deep. */
function shape(schema: z.ZodType): string {
  if (schema instanceof z.ZodObject)
    return Object.keys(schema.shape)
      .map((key) => `\`${key}\``)
      .join(', ');
  if (schema instanceof z.ZodUnion)
    return schema.options.map((option) => shape(option as z.ZodType)).join(say('; or '));
  return say('see the schema');
}

/** Commands outside the table describe themselves. */
function extraText(name: string): string[] {
  const program = buildProgram(
    async () => 0,
    () => {},
  );
  localise(program);
  const command = program.commands.find((one) => one.name() === name);
  if (!command) return [];
  const help = command.configureOutput({}).helpInformation().trimEnd();
  return [`## strata ${name}`, '', command.summary(), '', '```text', help, '```', ''];
}

const exitCodes = (): string[] => [
  say('## Exit codes'),
  '',
  say(
    '0: done. 1: something failed (a file, a request, the library); stderr says what and why. 2: the command was not understood. 130: interrupted; what was finished is kept.',
  ),
  '',
];

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''];
}
