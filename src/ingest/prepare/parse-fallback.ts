import { isStrataError, reasonOf } from '../../model/errors.js';
import type { Tree } from '../../model/tree.js';
import { parseDocument } from '../../parse/parse.js';
import type { ParseInput } from '../../parse/parser.js';

/**
 * Where a text format's structure is broken (JSON with a comma too many, a defect in a parser), the text is
 * still there: it is read as plain text, and the report says so. What is no text at all is reported as it is.
 */
export async function structureOrText(
  input: ParseInput,
  parse: (input: ParseInput) => Promise<Tree> = parseDocument,
): Promise<Tree> {
  try {
    return await parse(input);
  } catch (error) {
    // Everything else is about the whole file: encrypted, no text in it, too large, cancelled.
    if (isStrataError(error) && error.code !== 'CORRUPT') throw error;
    if (!looksLikeText(input.bytes)) throw error;
    const tree = await plainText(input, error);
    const why =
      input.bytes.byteLength === 0
        ? 'the file is empty'
        : `its structure could not be read (${reasonOf(error)}); read as text`;
    return { ...tree, warnings: [...tree.warnings, why] };
  }
}

/** Where that fails too, what went wrong first is what a person should hear. */
async function plainText(input: ParseInput, first: unknown): Promise<Tree> {
  const { textParser } = await import('../../parse/text.js');
  try {
    return await textParser(input);
  } catch {
    throw first;
  }
}

/** Formats with a signature of their own (`%PDF`, zip, …) are damaged, not text, even where most bytes are ASCII. */
function looksLikeText(bytes: Uint8Array): boolean {
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  return !/^(%PDF|PK|\xd0\xcf\x11\xe0|\{\\rtf|%!PS)/.test(start) && !bytes.subarray(0, 65_536).includes(0);
}
