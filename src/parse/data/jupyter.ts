import { StrataError } from '../../model/errors.js';
import type { Tree } from '../../model/tree.js';
import { TreeBuilder } from '../builder.js';
import { decode } from '../decode.js';
import { markdownTree } from '../markdown/markdown.js';
import type { ParseInput } from '../parser.js';
import { TracedText } from '../traced-text.js';
import { type JsonNode, JsonSource } from './json-read.js';

/** Output is often a log or a dump of data; its beginning says what it is. */
const OUTPUT = 4_000;

/** Jupyter notebooks: Markdown cells by their headings, code cells as code, and the text that they printed. */
export async function jupyterParser({ bytes, limits }: ParseInput): Promise<Tree> {
  const notebook = new Notebook(new JsonSource(decode(bytes), limits.nesting));
  const { cells, language } = notebook;
  if (cells === undefined) throw new StrataError('CORRUPT', 'no notebook: it has no cells');
  const builder = new TreeBuilder();
  let shortened = 0;
  for (const cell of cells) {
    const source = notebook.text(cell, 'source', 'input');
    const type = notebook.text(cell, 'cell_type').text;
    builder.page();
    if (type === 'markdown') {
      const written = source.trimEnd();
      builder.append(await markdownTree(written.text), written);
    } else if (type === 'heading') builder.heading(notebook.level(cell), source);
    else if (type === 'raw') builder.paragraph(source);
    else builder.code(source, language);
    for (const output of notebook.list(cell, 'outputs')) {
      const printed = notebook.printed(output);
      if (printed.text.length > OUTPUT) shortened += 1;
      builder.code(printed.slice(0, OUTPUT), 'text');
    }
  }
  const tree = builder.build({
    format: 'jupyter',
    metadata: language === undefined ? {} : { language },
    warnings: shortened === 0 ? [] : [`${shortened} outputs were cut to ${OUTPUT} characters`],
    unit: 'line',
  });
  return { ...tree, title: tree.sections.find(({ level }) => level === 1)?.title ?? null };
}

/** A notebook's JSON by the names of its format. */
class Notebook {
  readonly #json: JsonSource;

  constructor(json: JsonSource) {
    this.#json = json;
  }

  /** Version 4 has cells; version 3 has them in worksheets. */
  get cells(): readonly JsonNode[] | undefined {
    const { root } = this.#json;
    if (this.#isArray(this.#json.member(root, 'cells'))) return this.list(root, 'cells');
    if (!this.#isArray(this.#json.member(root, 'worksheets'))) return undefined;
    return this.list(root, 'worksheets').flatMap((sheet) => this.list(sheet, 'cells'));
  }

  get language(): string | undefined {
    const metadata = this.#json.member(this.#json.root, 'metadata');
    const info = this.#json.member(this.#json.member(metadata, 'language_info'), 'name');
    const kernel = this.#json.member(this.#json.member(metadata, 'kernelspec'), 'language');
    const name = info ?? kernel;
    return name !== undefined && this.#json.kind(name) === 'string' ? this.#json.value(name) : undefined;
  }

  level(cell: JsonNode): number {
    const level = this.#json.member(cell, 'level');
    return (level && Number(this.#json.value(level))) || 1;
  }

  /** The objects in a member that is a list. */
  list(node: JsonNode, name: string): readonly JsonNode[] {
    const held = this.#json.member(node, name);
    return this.#isArray(held) ? held.items.filter((item) => this.#json.kind(item) === 'object') : [];
  }

  /** The first of these members that there is: text is stored as a string or as a list of lines. */
  text(node: JsonNode, ...names: readonly string[]): TracedText {
    const json = this.#json;
    const held = names.map((name) => json.member(node, name)).find((member) => member !== undefined);
    const text = new TracedText();
    if (held === undefined) return text;
    for (const piece of json.kind(held) === 'array' ? held.items : [held])
      if (json.kind(piece) === 'string') text.add(json.value(piece), json.line(piece));
    return text;
  }

  printed(output: JsonNode): TracedText {
    const type = this.text(output, 'output_type').text;
    if (type === 'error' || type === 'pyerr')
      return this.text(output, 'ename').add(': ').append(this.text(output, 'evalue'));
    const data = this.#json.member(output, 'data') ?? output;
    const own = this.text(output, 'text');
    const text = own.text === '' ? this.text(data, 'text/plain', 'text/markdown') : own;
    // Terminal colours, and the names of objects that have nothing to read (`<Figure size 640x480 with 1 Axes>`).
    const plain = text.replace(/\u001b\[[0-9;]*[A-Za-z]/g, '');
    return /^<[\w.]+ [^\n]*>$/.test(plain.text.trim()) ? new TracedText() : plain;
  }

  #isArray(node: JsonNode | undefined): node is JsonNode {
    return node !== undefined && this.#json.kind(node) === 'array';
  }
}
