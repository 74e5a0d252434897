import { spawn } from 'node:child_process';
import { foldSpans, UNSEEN } from './fold.js';
import { CLEAN, columnsOf, rowsOf } from './print.js';

/**
 * Shows a text that is longer than the screen in the user's pager (STRATA_PAGER, PAGER, else less). False where it
 * fits, nobody watches, or there is no pager: then it is printed as always.
 */
export async function page(text: string, kind: keyof typeof CLEAN): Promise<boolean> {
  const { stdout, stdin, env } = process;
  if (!stdout.isTTY || !stdin.isTTY || env.TERM === 'dumb') return false;
  if (screenLines(text, columnsOf(stdout)) < rowsOf(stdout)) return false;
  const pager = env.STRATA_PAGER ?? env.PAGER ?? 'less';
  if (pager === '' || pager === 'cat') return false;
  return show(`${CLEAN[kind](text)}\n`, pager);
}

/** As git does: a command for the shell. -F: what fits is only printed; -R: colours; -X: it stays on the screen. */
function show(text: string, pager: string): Promise<boolean> {
  const child = spawn(pager, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: 'FRX', LESSCHARSET: 'utf-8', ...process.env },
  });
  return new Promise((done) => {
    child.on('error', () => done(false));
    // 126 and 127 are the shell's: there is no such command.
    child.on('close', (code) => done(code !== 126 && code !== 127));
    // Whoever has read enough closes the pager before the end.
    child.stdin.on('error', () => {});
    child.stdin.end(text);
  });
}

/** Lines on the screen, folded ones counted as what they take. */
export const screenLines = (text: string, columns: number): number =>
  text
    .replace(UNSEEN, '')
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, foldSpans(line, columns).length), 0);
