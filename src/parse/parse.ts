import { isStrataError, reasonOf, StrataError } from '../model/errors.js';
import type { Tree } from '../model/tree.js';
import { CODE_EXTENSIONS } from './code/languages.js';
import { detectFormat } from './detect.js';
import type { ParseInput, Parser } from './parser.js';

/** One entry per format. Parsers load when first needed: most libraries hold few formats. */
interface Registered {
  /** `markdown`, `pdf`, …: becomes `Tree.format` and `metadata.format`. */
  readonly format: string;
  /** Lower-case, with the dot. A hint only: `detect.ts` looks at the content too. */
  readonly extensions: readonly string[];
  /** Hostile-prone formats (PDF, zipped XML) run in a process of their own that can be killed. */
  readonly isolated?: boolean;
  load(): Promise<Parser>;
}

export const PARSERS: readonly Registered[] = [
  {
    format: 'markdown',
    extensions: ['.md', '.markdown', '.mdown', '.mkd', '.mdx'],
    load: async () => (await import('./markdown/markdown.js')).markdownParser,
  },
  {
    format: 'html',
    extensions: ['.html', '.htm', '.xhtml', '.shtml'],
    load: async () => (await import('./html/html.js')).htmlParser,
  },
  {
    format: 'docx',
    extensions: ['.docx', '.docm', '.dotx', '.dotm'],
    isolated: true,
    load: async () => (await import('./office/docx.js')).docxParser,
  },
  {
    format: 'json',
    extensions: ['.json', '.jsonc', '.json5', '.geojson', '.webmanifest', '.har'],
    load: async () => (await import('./data/json.js')).jsonParser,
  },
  {
    format: 'jsonl',
    extensions: ['.jsonl', '.ndjson', '.jsonlines'],
    load: async () => (await import('./data/jsonl.js')).jsonlParser,
  },
  {
    format: 'yaml',
    extensions: ['.yaml', '.yml'],
    load: async () => (await import('./data/yaml.js')).yamlParser,
  },
  {
    format: 'csv',
    extensions: ['.csv', '.tsv', '.tab'],
    load: async () => (await import('./data/csv.js')).csvParser,
  },
  {
    format: 'xlsx',
    extensions: ['.xlsx', '.xlsm', '.xltx', '.xltm'],
    isolated: true,
    load: async () => (await import('./office/xlsx.js')).xlsxParser,
  },
  {
    format: 'pptx',
    extensions: ['.pptx', '.pptm', '.ppsx', '.potx'],
    isolated: true,
    load: async () => (await import('./office/pptx.js')).pptxParser,
  },
  {
    format: 'epub',
    extensions: ['.epub'],
    isolated: true,
    load: async () => (await import('./office/epub.js')).epubParser,
  },
  {
    format: 'jupyter',
    extensions: ['.ipynb'],
    load: async () => (await import('./data/jupyter.js')).jupyterParser,
  },
  {
    format: 'log',
    extensions: ['.log'],
    load: async () => (await import('./log.js')).logParser,
  },
  {
    format: 'code',
    extensions: CODE_EXTENSIONS,
    load: async () => (await import('./code/code.js')).codeParser,
  },
  {
    format: 'ole',
    extensions: ['.doc', '.xls', '.ppt', '.msg'],
    load: async () => (await import('./office/ole.js')).oleParser,
  },
  {
    format: 'pdf',
    extensions: ['.pdf'],
    isolated: true,
    load: async () => (await import('./pdf/pdf.js')).pdfParser,
  },
  {
    format: 'picture',
    extensions: ['.png', '.jpg', '.jpeg', '.tif', '.tiff', '.webp'],
    isolated: true,
    load: async () => (await import('./ocr/picture.js')).pictureParser,
  },
  {
    format: 'text',
    extensions: ['.txt', '.text'],
    load: async () => (await import('./text.js')).textParser,
  },
];

/** The format that `parseDocument` would choose: a name of the registry, or that of a known format without a parser. */
export function formatOf(input: Pick<ParseInput, 'bytes' | 'name' | 'format'>): string {
  if (input.format !== undefined) return input.format;
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
  const parser = loaded.get(format) ?? (await load(format));
  try {
    return await parser(input);
  } catch (error) {
    throw isStrataError(error) ? error : unreadable(error);
  }
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

/** What a library throws on a file it did not expect says nothing to people; the file is what is wrong. */
function unreadable(cause: unknown): StrataError {
  const isDeep = cause instanceof RangeError && /call stack/.test(cause.message);
  return isDeep
    ? new StrataError('LIMIT', 'it nests too deep to be read', { cause })
    : new StrataError('CORRUPT', `it cannot be read (${reasonOf(cause)})`, { cause });
}
