import { StrataError } from '../../model/errors.js';
import type { Parser } from '../parser.js';

/**
 * The container of Office before 2007, which today's Office still uses around an encrypted document. Its directory
 * lists streams by UTF-16 names, which is enough to say what the file is.
 */
const MAGIC = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

export const isOle = (bytes: Uint8Array): boolean => MAGIC.every((byte, at) => bytes[at] === byte);

/** Says why: Office's older formats are known, and not read. */
export const oleParser: Parser = ({ bytes }) => {
  throw isOle(bytes) ? oleProblem(bytes) : new StrataError('CORRUPT', 'it is no Office document');
};

const OLD_FORMATS = [
  ['WordDocument', 'Word 97–2003 (.doc)', '.docx'],
  ['Workbook', 'Excel 97–2003 (.xls)', '.xlsx'],
  ['Book', 'Excel 5/95 (.xls)', '.xlsx'],
  ['PowerPoint Document', 'PowerPoint 97–2003 (.ppt)', '.pptx'],
  ['__properties_version1.0', 'an Outlook message (.msg)', '.html or .txt'],
] as const;

/** Why an OLE file cannot be read: it is encrypted, or older than the formats that can. */
export function oleProblem(bytes: Uint8Array): StrataError {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const holds = (stream: string): boolean => data.includes(Buffer.from(`${stream}\0`, 'utf16le'));
  if (holds('EncryptedPackage') || holds('EncryptionInfo')) {
    return new StrataError('ENCRYPTED', 'the document is encrypted with a password; save a copy without one');
  }
  const old = OLD_FORMATS.find(([stream]) => holds(stream));
  return old === undefined
    ? new StrataError('UNSUPPORTED', 'an OLE container of an unknown kind; save it in a current format')
    : new StrataError('UNSUPPORTED', `the format is ${old[1]}; save it as ${old[2]}`);
}
