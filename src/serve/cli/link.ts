import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { View } from '../operation.js';

/** Whether a terminal shows links (OSC 8). FORCE_HYPERLINK decides, as in other programs; others would print nothing. */
export function showsLinks(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (env.FORCE_HYPERLINK !== undefined) return env.FORCE_HYPERLINK !== '0' && env.FORCE_HYPERLINK !== '';
  if (!isTerminal || env.CI !== undefined || env.TMUX !== undefined) return false;
  if (env.WT_SESSION || env.KITTY_WINDOW_ID || env.TERM === 'alacritty') return true;
  if (Number(env.VTE_VERSION) >= 5000 || Number(env.KONSOLE_VERSION) >= 201200) return true;
  return ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'Tabby', 'rio'].includes(
    env.TERM_PROGRAM ?? '',
  );
}

/** The text as a link to the file or page, where the terminal shows links. A path is a stranger's: it is encoded. */
export function link(text: string, source: string, { links, root }: View): string {
  const address = links ? addressOf(source, root) : null;
  return address === null ? text : `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\`;
}

/** Characters that print.ts does not let through. */
const UNSAFE = /[^\w%.~/:@!$&'()*+,;=?#-]/gu;

function addressOf(source: string, root: string | undefined): string | null {
  const isPage = /^https?:\/\//i.test(source);
  if (!isPage && root === undefined) return null;
  try {
    const { href } = isPage ? new URL(source) : pathToFileURL(join(root ?? '', source));
    return href.replace(UNSAFE, encodeURIComponent);
  } catch {
    return null;
  }
}
