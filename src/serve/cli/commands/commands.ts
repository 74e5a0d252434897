import type { Command } from 'commander';
import { localisedExamples } from '../../language/localise.js';
import { print } from '../print.js';
import { mcpCommand, serveCommand } from './commands-agent.js';
import { openCommand } from './commands-open.js';
import { watchCommand } from './commands-watch.js';

/** A command that is no operation on a library: a server, a watcher, completions. Its work loads when it is called. */
export interface ExtraCommand {
  readonly name: string;
  readonly summary: string;
  declare(command: Command, host: CommandHost): void;
}

export interface CommandHost {
  /** All commands, for those that describe them. */
  readonly program: Command;
  /** Set the process's exit code when the command is done. */
  readonly onExit: (code: number) => void;
}

export const commands: readonly ExtraCommand[] = [
  watchCommand,
  openCommand,
  mcpCommand,
  serveCommand,
  {
    name: 'skill',
    summary: 'Print an instruction file that teaches an agent to use strata',
    declare(command) {
      command
        .addHelpText('after', () =>
          localisedExamples(
            '\nExamples:\n  strata skill > .claude/skills/strata/SKILL.md\n  strata skill >> AGENTS.md',
          ),
        )
        .action(async () => {
          const { SKILL } = await import('./skill.js');
          await print(SKILL);
        });
    },
  },
  {
    name: 'completions',
    summary: 'Print a completion script for bash, zsh or fish',
    declare(command, { program }) {
      command
        .argument('<shell>', 'bash, zsh or fish')
        .addHelpText('after', () =>
          localisedExamples(
            '\nExamples:\n  source <(strata completions bash)\n  strata completions fish | source',
          ),
        )
        .action(async (shell: string) => {
          const { completionScript } = await import('./completions.js');
          await print(completionScript(shell, program));
        });
    },
  },
];
