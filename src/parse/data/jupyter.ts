import { StrataError } from '../../model/errors.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { Tree } from '../../model/tree.js';
import { TreeBuilder } from '../builder.js';
import { decode } from '../decode.js';
import { markdownTree } from '../markdown/markdown.js';
import type { ParseInput, Parser } from '../parser.js';
import { scanJson } from './json-scan.js';

/** Jupyter notebooks: Markdown cells by their headings, code cells as code, and the text that they printed. */
export const jupyterParser: Parser = { format: 'jupyter', extensions: ['.ipynb'], parse: parseNotebook };

/** Output is often a log or a dump of data; its beginning says what it is. */
const OUTPUT = 4_000;

async function parseNotebook({ bytes, limits }: ParseInput): Promise<Tree> {
  const text = decode(bytes);
  // Checks form and depth before JSON.parse builds the whole of it.
  scanJson(Buffer.from(text), 0, limits.nesting);
  const notebook = JSON.parse(text) as Json;
  const cells = cellsOf(notebook);
  if (cells === undefined) throw new StrataError('CORRUPT', 'no notebook: it has no cells');
  const language = languageOf(notebook as JsonObject);
  const builder = new TreeBuilder();
  let shortened = 0;
  for (const cell of cells) {
    const source = joined(cell.source ?? cell.input);
    if (cell.cell_type === 'markdown') builder.append(await markdownTree(source.trimEnd()));
    else if (cell.cell_type === 'heading') builder.heading(Number(cell.level) || 1, source);
    else if (cell.cell_type === 'raw') builder.paragraph(source);
    else builder.code(source, language);
    for (const output of list(cell.outputs)) {
      const printed = outputText(output);
      if (printed.length > OUTPUT) shortened += 1;
      builder.code(printed.slice(0, OUTPUT), 'text');
    }
  }
  const tree = builder.build({
    format: 'jupyter',
    metadata: language === undefined ? {} : { language },
    warnings: shortened === 0 ? [] : [`${shortened} outputs were cut to ${OUTPUT} characters`],
  });
  return { ...tree, title: tree.sections.find(({ level }) => level === 1)?.title ?? null };
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const list = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Version 4 has cells; version 3 has them in worksheets. */
function cellsOf(notebook: Json): JsonObject[] | undefined {
  if (!isObject(notebook)) return undefined;
  if (Array.isArray(notebook.cells)) return list(notebook.cells);
  if (!Array.isArray(notebook.worksheets)) return undefined;
  return list(notebook.worksheets).flatMap((sheet) => list(sheet.cells));
}

function languageOf(notebook: JsonObject): string | undefined {
  const metadata = isObject(notebook.metadata) ? notebook.metadata : {};
  const info = isObject(metadata.language_info) ? metadata.language_info.name : undefined;
  const kernel = isObject(metadata.kernelspec) ? metadata.kernelspec.language : undefined;
  const name = info ?? kernel;
  return typeof name === 'string' ? name : undefined;
}

/** Text is stored as a string or as a list of lines. */
const joined = (value: Json | undefined): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.filter((line) => typeof line === 'string').join('')
      : '';

function outputText(output: JsonObject): string {
  if (output.output_type === 'error' || output.output_type === 'pyerr') {
    return `${joined(output.ename)}: ${joined(output.evalue)}`;
  }
  const data = isObject(output.data) ? output.data : output;
  const text = joined(output.text ?? data['text/plain'] ?? data['text/markdown']);
  // Terminal colours, and the names of objects that have nothing to read (`<Figure size 640x480 with 1 Axes>`).
  const plain = text.replace(/\u001b\[[0-9;]*[A-Za-z]/g, '');
  return /^<[\w.]+ [^\n]*>$/.test(plain.trim()) ? '' : plain;
}
