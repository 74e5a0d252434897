import { translate } from '../language/translate.js';

/** Asks the person at the terminal a question that is answered by yes or no; undefined where there is none. */
export function askOnTerminal(): ((question: string) => Promise<boolean>) | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  return async (question) => {
    const { createInterface } = await import('node:readline/promises');
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return /^(y(es)?|是)$/i.test((await terminal.question(`${translate(question)} [y/N] `)).trim());
    } finally {
      terminal.close();
    }
  };
}
