import * as z from 'zod';
import { ERROR_CODES } from '../../model/errors.js';
import { type Field, flagName } from '../fields.js';
import type { Operation } from '../operation.js';
import { operations } from '../operations.js';
import { outputSchema } from '../schemas.js';
import { buildProgram } from './cli.js';
import { commands } from './commands.js';

/** docs/reference.md: every command with its arguments, flags, examples and answer, from the table itself. */
export function referenceText(): string {
  const parts = [
    '# Reference',
    '',
    'Made from the table of operations by `npm run docs`; do not edit.',
    '',
    ...operations.flatMap(operationText),
    ...commands.flatMap((command) => extraText(command.name)),
    ...exitCodes,
    '## Error codes',
    '',
    'Programs that use the library branch on `error.code`; messages may change, codes do not.',
    '',
    ...table(
      ['code', 'meaning'],
      Object.entries(ERROR_CODES).map(([code, meaning]) => [`\`${code}\``, meaning]),
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
    operation.description,
    '',
    '```sh',
    ['strata', commandName(operation), ...usage, '[options]'].join(' '),
    ...operation.examples.map(({ command, explanation }) => `${command}  # ${explanation}`),
    '```',
    '',
    ...(fields.length === 0
      ? []
      : table(
          ['option', 'in JSON', 'meaning'],
          fields.flatMap(([name, field]) => rows(name, field)),
        )),
    `Access: ${operation.access}. Answer (\`--json\`): ${shape(outputSchema(operation))}`,
    '',
  ];
}

const commandName = ({ name, command = name }: Operation): string => command;

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
    ...(field.kind === 'texts' && !field.cli?.positional ? ['repeatable'] : []),
    ...(field.choices ? [`one of ${field.choices.map((choice) => `\`${choice}\``).join(', ')}`] : []),
    ...(field.fallback !== undefined && field.kind !== 'flag' ? [`default ${String(field.fallback)}`] : []),
    ...(field.fallback === true ? ['on by default'] : []),
  ];
  return notes.length === 0 ? field.description : `${field.description} (${notes.join('; ')})`;
}

/** The answer's fields, one level deep. */
function shape(schema: z.ZodType): string {
  if (schema instanceof z.ZodObject)
    return Object.keys(schema.shape)
      .map((key) => `\`${key}\``)
      .join(', ');
  if (schema instanceof z.ZodUnion)
    return schema.options.map((option) => shape(option as z.ZodType)).join('; or ');
  return 'see the schema';
}

/** Commands outside the table describe themselves. */
function extraText(name: string): string[] {
  const command = buildProgram(
    async () => 0,
    () => {},
  ).commands.find((one) => one.name() === name);
  if (!command) return [];
  const help = command.configureOutput({}).helpInformation().trimEnd();
  return [`## strata ${name}`, '', command.summary(), '', '```text', help, '```', ''];
}

const exitCodes = [
  '## Exit codes',
  '',
  '0: done. 1: something failed (a file, a request, the library); stderr says what and why. 2: the command was not understood. 130: interrupted; what was finished is kept.',
  '',
];

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''];
}
