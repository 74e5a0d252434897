import { StrataError } from '../model/errors.js';
import type { Tree } from '../model/tree.js';
import { detectFormat } from './detect.js';
import type { ParseInput, Parser } from './parser.js';

/** One line a format. Parsers load when first needed: most libraries hold few formats. */
interface Registered {
  readonly format: string;
  /** Lower-case, with the dot. */
  readonly extensions: readonly string[];
  /** Hostile-prone formats run where they can be killed. */
  readonly isolated?: boolean;
  load(): Promise<Parser>;
}

export const PARSERS: readonly Registered[] = [
  {
    format: 'markdown',
    extensions: ['.md', '.markdown', '.mdown', '.mkd', '.mdx'],
    load: async () => (await import('./markdown.js')).markdownParser,
  },
  {
    format: 'pdf',
    extensions: ['.pdf'],
    isolated: true,
    load: async () => (await import('./pdf.js')).pdfParser,
  },
  {
    format: 'text',
    extensions: ['.txt', '.text', '.log'],
    load: async () => (await import('./text.js')).textParser,
  },
];

/** The format that `parseDocument` would choose: a name of the registry, or that of a known format without a parser. */
export function formatOf(input: Pick<ParseInput, 'bytes' | 'name'>): string {
  return detectFormat(
    input.bytes,
    input.name,
    (extension) => PARSERS.find(({ extensions }) => extensions.includes(extension))?.format ?? null,
  );
}

const loaded = new Map<string, Parser>();

/** Bytes in, structure out: detect the format, load its parser, parse. */
export async function parseDocument(input: ParseInput): Promise<Tree> {
  const format = formatOf(input);
  return (loaded.get(format) ?? (await load(format))).parse(input);
}

async function load(format: string): Promise<Parser> {
  const registered = PARSERS.find((parser) => parser.format === format);
  if (registered === undefined) {
    throw new StrataError('UNSUPPORTED', `files of the format ${format} cannot be parsed`);
  }
  const parser = await registered.load();
  loaded.set(format, parser);
  return parser;
}
