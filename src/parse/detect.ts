import { extname } from 'node:path';
import { looksLikeLog } from './log.js';
import { openZip } from './office/zip.js';

/**
 * Which format is this? Content decides where it is unmistakable (a signature), the name where content cannot tell
 * (Markdown is text like any other). The answer is a name of the registry in `parse.ts`, or a known name without a
 * parser, so that the error can say what the file is.
 */
export function detectFormat(
  bytes: Uint8Array,
  name: string,
  formatOf: (extension: string) => string | null,
): string {
  const signed = bySignature(bytes, name, formatOf);
  if (signed !== null) return signed;
  const named = formatOf(extname(name).toLowerCase());
  // A name that says "text", or one of Office's old ones without Office's signature, leaves the word to the content.
  return named === null || named === 'text' || named === 'ole'
    ? (byContent(bytes) ?? (named === 'ole' ? 'ole' : 'text'))
    : named;
}

const SIGNATURES: readonly (readonly [format: string, signature: string])[] = [
  ['pdf', '%PDF-'],
  ['rtf', '{\\rtf'],
  ['picture', '\x89PNG'],
  ['gif', 'GIF8'],
  ['picture', '\xff\xd8\xff'],
  ['picture', 'II*\0'],
  ['picture', 'MM\0*'],
  ['gzip', '\x1f\x8b'],
  ['sqlite', 'SQLite format 3\0'],
  ['elf', '\x7fELF'],
  ['7z', '7z\xbc\xaf\x27\x1c'],
];

const ZIP = ['PK\x03\x04', 'PK\x05\x06'];
const OLE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';
const SIGNED = new Set(
  [...SIGNATURES.map(([, signature]) => signature), ...ZIP, OLE].map((signature) => signature.charCodeAt(0)),
);

function bySignature(
  bytes: Uint8Array,
  name: string,
  formatOf: (extension: string) => string | null,
): string | null {
  // One byte tells most texts from all of these; only a PDF may have junk before its mark.
  if (!SIGNED.has(bytes[0]!) && !/\.pdf$/i.test(name)) return null;
  const head = latin1(bytes.subarray(0, 1024));
  for (const [format, signature] of SIGNATURES) if (head.startsWith(signature)) return format;
  // Some producers put junk before the PDF mark; readers accept it within the first kilobyte.
  if (/\.pdf$/i.test(name) && head.includes('%PDF-')) return 'pdf';
  if (ZIP.some((signature) => head.startsWith(signature)))
    return zipFormat(bytes, formatOf(extname(name).toLowerCase()));
  if (head.startsWith(OLE)) return 'ole';
  return null;
}

/** Office files and books are zip archives; the names of their parts tell them apart. */
function zipFormat(bytes: Uint8Array, named: string | null): string {
  const names = partNames(bytes);
  if (names.some((part) => /^word\/document\d*\.xml$/i.test(part))) return 'docx';
  if (names.some((part) => /^xl\/workbook\.(?:xml|bin)$/i.test(part))) return 'xlsx';
  if (names.some((part) => /^ppt\/presentation\.xml$/i.test(part))) return 'pptx';
  if (names.includes('META-INF/container.xml')) return 'epub';
  return named !== null && ZIPPED.has(named) ? named : 'zip';
}

const ZIPPED = new Set(['docx', 'xlsx', 'pptx', 'epub']);

function partNames(bytes: Uint8Array): readonly string[] {
  try {
    return openZip(bytes, 0).names;
  } catch {
    return [];
  }
}

/** For names that say nothing: a page of HTML, a script and a JSON document announce themselves. */
function byContent(bytes: Uint8Array): string | null {
  const head = latin1(bytes.subarray(0, 1024))
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (/^(?:<!doctype html|<html[\s>])/i.test(head)) return 'html';
  if (/^#!\s*\/\S+/.test(head)) return 'code';
  const tail = latin1(bytes.subarray(Math.max(0, bytes.length - 64))).trimEnd();
  if (/^(?:\{\s*(?:"|\}|\/\/)|\[\s*[[{"\d\]-])/.test(head) && /[\]}]$/.test(tail)) {
    return /^\{[^\n]*\}\s*\n\s*\{/.test(head) ? 'jsonl' : 'json';
  }
  return looksLikeLog(head.slice(0, head.lastIndexOf('\n'))) ? 'log' : null;
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
