import { sha256 } from '../../model/hash.js';

/**
 * A JSON file that can tell whether it is whole: its first field is the SHA-256 of all that follows. One bit changed
 * anywhere, and it is no longer believed.
 */
export function seal(value: object, indent = 1): string {
  const body = JSON.stringify(value, null, indent).slice(1);
  return `{"checksum":"${sha256(body)}",${body}\n`;
}

const HEAD = /^\{"checksum":"([0-9a-f]{64})",/;

/** The value without its checksum; null when the file is damaged or was not written by `seal`. */
export function unseal(text: string): Readonly<Record<string, unknown>> | null {
  const head = HEAD.exec(text);
  if (head === null || !text.endsWith('\n')) return null;
  const body = text.slice(head[0].length, -1);
  if (sha256(body) !== head[1]) return null;
  try {
    return JSON.parse(`{${body}`);
  } catch {
    // Whoever made this file computed its checksum, too.
    return null;
  }
}
