import type { Command } from 'commander';

/** Flags that every command on a library has, and that people also write before the command, as git's are. */
const WITH_VALUE = new Set(['--lang', '--library', '--store', '--embedder', '--as']);
const ALONE = new Set(['--json', '--quiet', '-q']);

/** `strata --lang zh list` means `strata list --lang zh`. What belongs to no command is left where it stands. */
export function withLeadingFlags(program: Command, words: readonly string[]): readonly string[] {
  let at = 0;
  while (at < words.length) {
    const [name = '', value] = words[at]!.split('=', 2);
    if (WITH_VALUE.has(name)) at += value === undefined ? 2 : 1;
    else if (ALONE.has(name)) at += 1;
    else break;
  }
  if (at === 0) return words;
  const rest = words.slice(at);
  let command = program;
  let depth = 0;
  for (;;) {
    const next = command.commands.find((one) => one.name() === rest[depth]);
    if (next === undefined) break;
    command = next;
    depth++;
  }
  // `strata --lang zh --help`: the language has been chosen already.
  if (depth === 0) return rest;
  return [...rest.slice(0, depth), ...words.slice(0, at), ...rest.slice(depth)];
}
