import { isAscii, isUtf8, transcode } from 'node:buffer';
import { StrataError } from '../model/errors.js';
import { decodeAs, guessEncoding } from './encodings.js';

/**
 * Bytes as text: a byte order mark decides, then the pattern of zero bytes (UTF-16, UTF-32), then strict UTF-8, then
 * the file's own declaration, then the older encoding whose reading looks most like writing. Bytes that are no text
 * are refused. Newlines become `\n`, lone surrogates and zero bytes U+FFFD, so that every store can keep the result.
 */
export function decode(bytes: Uint8Array): string {
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  // The common case by far, at the speed of memory: nothing has to be replaced.
  if (isPlain(bytes)) {
    if (isAscii(bytes)) return asBuffer(bytes).toString('latin1');
    if (isUtf8(bytes)) return decodeUtf8(marked ? bytes.subarray(3) : bytes);
  }
  return normaliseText(decodeBytes(bytes));
}

const isPlain = (bytes: Uint8Array): boolean =>
  !bytes.includes(0) && !bytes.includes(0x0d) && !bytes.includes(0x1b);

/** The same promises for text that is already a string. */
export function normaliseText(text: string): string {
  let result = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (result.includes('\r')) result = result.replace(/\r\n?/g, '\n');
  if (result.includes('\0')) result = result.replaceAll('\0', '\ufffd');
  return result.isWellFormed() ? result : result.toWellFormed();
}

function decodeBytes(bytes: Uint8Array): string {
  const marked = byteOrderMark(bytes);
  if (marked !== null) return inEncoding(marked.encoding, bytes.subarray(marked.length));
  const zeros = bytes.includes(0);
  const wide = zeros ? wideEncoding(bytes) : null;
  if (wide !== null) {
    const text = inEncoding(wide, bytes);
    if (!looksBinary(text)) return text;
  }
  if (isUtf8(bytes)) {
    const text = utf8(bytes);
    if (zeros && looksBinary(text)) throw binary();
    return bytes.includes(0x1b) && /\u001b\$[@B]/.test(text)
      ? (strictly('iso-2022-jp', bytes) ?? text)
      : text;
  }
  if (controls(bytes) > MOST_CONTROLS) throw binary();
  const encoding = declaredEncoding(bytes) ?? guessEncoding(bytes);
  if (encoding === null) throw binary();
  return decodeAs(encoding, bytes);
}

const utf8 = (bytes: Uint8Array): string =>
  isAscii(bytes) ? asBuffer(bytes).toString('latin1') : decodeUtf8(bytes);

/**
 * Valid UTF-8 as a string. Through UTF-16 it takes a third of the time that `toString` needs for Chinese; for a few
 * such characters among others it takes as long, and another copy in memory.
 */
export const decodeUtf8 = (bytes: Uint8Array): string =>
  isMostlyAscii(bytes)
    ? asBuffer(bytes).toString('utf8')
    : transcode(bytes, 'utf8', 'utf16le').toString('utf16le');

/** By a thousand of its bytes. */
function isMostlyAscii(bytes: Uint8Array): boolean {
  const step = Math.ceil(bytes.length / 1024);
  let others = 0;
  for (let at = 0; at < bytes.length; at += step) if (bytes[at]! > 127 && ++others === 64) return false;
  return true;
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const inEncoding = (encoding: string, bytes: Uint8Array): string =>
  encoding.startsWith('utf-32') ? utf32(bytes, encoding) : decodeAs(encoding, bytes);

const binary = (): StrataError =>
  new StrataError('BINARY', 'this is no text in any encoding Strata knows, and no format it can parse');

function byteOrderMark(bytes: Uint8Array): { encoding: string; length: number } | null {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: 'utf-8', length: 3 };
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return { encoding: 'utf-32le', length: 4 };
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return { encoding: 'utf-32be', length: 4 };
  if (a === 0xff && b === 0xfe) return { encoding: 'utf-16le', length: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: 'utf-16be', length: 2 };
  return null;
}

function strictly(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function utf32(bytes: Uint8Array, encoding: string): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pieces: string[] = [];
  for (let at = 0; at + 3 < bytes.length; at += 4) {
    const code = view.getUint32(at, encoding === 'utf-32le');
    pieces.push(code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd');
  }
  return pieces.join('');
}

/** UTF-16 text has its zero bytes nearly all at odd offsets (little endian) or at even ones; UTF-32 at three of four. */
function wideEncoding(bytes: Uint8Array): string | null {
  const length = Math.min(bytes.length, 1 << 16) & ~3;
  if (length < 4) return null;
  const zeros = [0, 0, 0, 0];
  for (let at = 0; at < length; at++) if (bytes[at] === 0) zeros[at & 3]!++;
  const quarter = length / 4;
  const [first, second, third, fourth] = zeros as [number, number, number, number];
  if (third > quarter * 0.9 && fourth > quarter * 0.9) return 'utf-32le';
  if (first > quarter * 0.9 && second > quarter * 0.9) return 'utf-32be';
  const even = first + third;
  const odd = second + fourth;
  // Chinese in UTF-16 has zero bytes only in its ASCII and punctuation: a few are enough if the other side has none.
  // What is valid UTF-8 as well must look like UTF-16 through and through.
  const least = 2 * quarter * (isUtf8(bytes) ? 0.4 : 0.02);
  if (odd > least && even <= odd * 0.05) return 'utf-16le';
  if (even > least && odd <= even * 0.05) return 'utf-16be';
  return null;
}

/** Text has hardly a control character; programs, pictures and archives have them by the hundred. */
const MOST_CONTROLS = 0.02;

function looksBinary(text: string): boolean {
  const sample = text.slice(0, 1 << 16);
  const strange = sample.match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffe\uffff]/g)?.length ?? 0;
  return strange >= 8 && strange > sample.length * MOST_CONTROLS;
}

function controls(bytes: Uint8Array): number {
  const sample = bytes.subarray(0, 1 << 16);
  let found = 0;
  for (const byte of sample) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) found++;
  return found < 2 ? 0 : found / sample.length;
}

const DECLARATION = /(?:charset|encoding)\s*=\s*["']?([\w:.-]{3,20})/i;

/** What an HTML or XML file says of itself, where that reading has no error. */
function declaredEncoding(bytes: Uint8Array): string | null {
  const head = decodeAs('latin1', bytes.subarray(0, 2048));
  if (!/^\s*</.test(head)) return null;
  const label = DECLARATION.exec(head)?.[1];
  if (label === undefined || /^utf-?8$/i.test(label)) return null;
  try {
    const { encoding } = new TextDecoder(label);
    return strictly(encoding, bytes) === null ? null : encoding;
  } catch {
    return null;
  }
}
