import type { Argument, Command, Option } from 'commander';
import { displayWidth } from '../cli/terminal.js';
import { currentLanguage, say } from './language.js';
import { translate } from './translate.js';

/** All that `--help` shows, in the person's language: the program is built in English, and translated as a whole. */
export function localise(program: Command): void {
  if (currentLanguage() === 'en') return;
  for (const command of [program, ...everyCommand(program)]) {
    command.summary(translate(command.summary()));
    command.description(translate(command.description()));
    for (const part of partsOf(command)) part.description = translate(part.description);
    command.configureHelp({
      styleTitle: (title) => say(title),
      optionDescription: describe,
      argumentDescription: describe,
      subcommandDescription: (sub) => translate(sub.summary() || sub.description()),
      displayWidth,
    });
  }
}

export function everyCommand(command: Command): Command[] {
  return command.commands.flatMap((sub) => [sub, ...everyCommand(sub)]);
}

export const partsOf = (command: Command): readonly (Argument | Option)[] => [
  ...command.options,
  ...command.registeredArguments,
];

/** Commander would add `(choices: "a", "b")` and `(default: x)` in English. */
function describe(option: Option | Argument): string {
  const notes = [
    ...(option.argChoices ? [say('one of {1}', option.argChoices.join(', '))] : []),
    ...(option.defaultValue !== undefined && option.defaultValue !== false
      ? [say('default {1}', option.defaultValueDescription ?? String(option.defaultValue))]
      : []),
  ];
  const description = translate(option.description);
  return notes.length === 0 ? description : `${description}（${notes.join('；')}）`;
}

/** A line of examples: the command as it is, what it does in the person's language. */
export const localisedExamples = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      const [command, explanation] = line.split(/ # (.*)/, 2);
      return explanation === undefined ? translate(line) : `${command} # ${translate(explanation)}`;
    })
    .join('\n');
