import { reasonOf, StrataError } from '../../model/errors.js';

/**
 * XML as events, for the parts of office documents and books. saxes checks that the XML is well-formed and knows the
 * five entities of XML alone: it reads no DTD, so that no entity expands and nothing outside the file is ever read.
 */
export interface XmlHandler {
  /** `name` has no prefix; `end` is the offset just after the tag, in a text read at once. */
  open?(name: string, attributes: XmlAttributes, tag: XmlTag): void;
  text?(data: string): void;
  close?(name: string, tag: XmlTag): void;
}

/** Without prefixes, but for `r:` (the relationship's id beside the element's own). */
export type XmlAttributes = Readonly<Record<string, string>>;

export interface XmlTag {
  readonly qualified: string;
  readonly end: number;
  readonly depth: number;
}

/** `part` names the XML in messages. Throws CORRUPT for what is not well-formed, LIMIT past `nesting`. */
export async function readXml(
  source: string | AsyncIterable<Uint8Array>,
  part: string,
  nesting: number,
  handler: XmlHandler,
): Promise<void> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ position: true, xmlns: false });
  let depth = 0;
  parser.on('error', (error) => {
    throw new StrataError('CORRUPT', `its part ${part} is not well-formed XML (${reasonOf(error)})`);
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth > nesting)
      throw new StrataError('LIMIT', `its part ${part} nests deeper than ${nesting} levels`);
    const where = { qualified: tag.name, end: parser.position, depth };
    handler.open?.(local(tag.name), unprefixed(tag.attributes), where);
  });
  parser.on('closetag', (tag) => {
    handler.close?.(local(tag.name), { qualified: tag.name, end: parser.position, depth });
    depth -= 1;
  });
  if (handler.text) {
    parser.on('text', (data) => handler.text?.(data));
    parser.on('cdata', (data) => handler.text?.(data));
  }
  if (typeof source === 'string') {
    parser.write(source).close();
    return;
  }
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const piece of source) {
    decoder ??= new TextDecoder(xmlEncoding(piece));
    parser.write(decoder.decode(piece, { stream: true }));
  }
  parser.write(decoder?.decode() ?? '').close();
}

/** An XML part's text: the encoding its byte order mark or declaration names, UTF-8 without one. */
export const xmlText = (bytes: Uint8Array): string => new TextDecoder(xmlEncoding(bytes)).decode(bytes);

function xmlEncoding(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0x3c && bytes[1] === 0) return 'utf-16le';
  if (bytes[0] === 0 && bytes[1] === 0x3c) return 'utf-16be';
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const label = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1] ?? 'utf-8';
  try {
    // A part that was read as bytes cannot be UTF-16 here, whatever its declaration says.
    return /^utf-?16/i.test(label) ? 'utf-8' : new TextDecoder(label).encoding;
  } catch {
    return 'utf-8';
  }
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

function unprefixed(attributes: Record<string, string>): XmlAttributes {
  const plain: Record<string, string> = {};
  for (const name in attributes) plain[name.startsWith('r:') ? name : local(name)] = attributes[name]!;
  return plain;
}
