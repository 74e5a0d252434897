import type { Command } from 'commander';
import { StrataError } from '../../../model/errors.js';

/** Scripts that complete commands and flags; words that are neither complete as files. */
export function completionScript(shell: string, program: Command): string {
  const words = program.commands
    .filter((command) => command.name() !== 'help')
    .map((command) => ({
      name: command.name(),
      summary: command.summary(),
      flags: flagsOf(command),
      words: command.commands.map((one) => one.name()).filter((name) => name !== 'help'),
    }));
  switch (shell) {
    case 'bash':
      return bash(words);
    case 'zsh':
      return zsh(words);
    case 'fish':
      return fish(words);
    default:
      throw new StrataError('INVALID_ARGUMENT', `completions: "${shell}" is none of bash, zsh, fish`);
  }
}

/** Those of a command that holds several are the flags of all of them. */
function flagsOf(command: Command): CommandWords['flags'] {
  const options = [command, ...command.commands].flatMap((one) => one.options);
  const flags = options.map((option) => ({
    long: option.long ?? '',
    about: option.description,
    values: option.argChoices ?? [],
  }));
  return [...new Map([...flags, HELP].map((flag) => [flag.long, flag])).values()];
}

interface CommandWords {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly {
    readonly long: string;
    readonly about: string;
    readonly values: readonly string[];
  }[];
  /** The commands it holds: `put`, `get`. */
  readonly words: readonly string[];
}

const HELP = { long: '--help', about: 'Show help', values: [] };

function bash(commands: readonly CommandWords[]): string {
  const cases = commands.map(
    ({ name, flags, words }) =>
      `    ${name}) flags="${flags.map(({ long }) => long).join(' ')}"; words="${words.join(' ')}" ;;`,
  );
  const valued = commands.flatMap(({ name, flags }) =>
    flags
      .filter(({ values }) => values.length > 0)
      .map(({ long, values }) => {
        const reply = `COMPREPLY=($(compgen -W "${values.join(' ')}" -- "$word"))`;
        return `    "${name} ${long}") ${reply}; return ;;`;
      }),
  );
  return `_strata() {
  local word="\${COMP_WORDS[COMP_CWORD]}" flags="" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD - 1]}" in
${valued.join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [[ "$COMP_CWORD" -eq 2 && -n "$words" ]]; then COMPREPLY=($(compgen -W "$words" -- "$word")); return; fi
  if [[ "$word" == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$word")); else COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _strata strata
`;
}

function zsh(commands: readonly CommandWords[]): string {
  const quote = (text: string): string => text.replaceAll("'", "'\\''").replace(/[:[\]]/g, '\\$&');
  const names = commands.map(({ name, summary }) => `    '${name}:${quote(summary)}'`);
  const cases = commands.map(({ name, flags, words }) => {
    const specs = flags.map(
      ({ long, about, values }) =>
        `'${long}[${quote(about)}]${values.length > 0 ? `:value:(${values.join(' ')})` : ''}'`,
    );
    const first = words.length === 0 ? '' : `'1:command:(${words.join(' ')})' `;
    return `    ${name}) _arguments ${specs.join(' ')} ${first}'*:file:_files' ;;`;
  });
  return `#compdef strata
_strata() {
  local -a commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local command="$words[2]"
  shift words; (( CURRENT-- ))
  case "$command" in
${cases.join('\n')}
  esac
}
compdef _strata strata
`;
}

function fish(commands: readonly CommandWords[]): string {
  const quote = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  const lines = commands.flatMap(({ name, summary, flags, words }) => [
    `complete -c strata -n __fish_use_subcommand -f -a ${name} -d '${quote(summary)}'`,
    ...words.map((word) => `complete -c strata -n '__fish_seen_subcommand_from ${name}' -f -a ${word}`),
    ...flags.map(
      ({ long, about, values }) =>
        `complete -c strata -n '__fish_seen_subcommand_from ${name}' -l ${long.slice(2)}${
          values.length > 0 ? ` -x -a '${values.join(' ')}'` : ''
        } -d '${quote(about)}'`,
    ),
  ]);
  return `${lines.join('\n')}\n`;
}
