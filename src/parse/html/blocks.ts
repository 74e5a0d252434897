import type { TreeBuilder } from '../builder.js';
import { TracedText } from '../traced-text.js';
import { type HtmlEvent, readTable } from './table.js';

/**
 * HTML as a stream of tags and text → headings, paragraphs, lists, tables and code in a TreeBuilder. The stream comes
 * from a DOM (a page's main content) or from a tokenizer (a page too large for a DOM; the HTML of DOCX and EPUB), so
 * nothing here recurses and depth costs nothing.
 */
export interface HtmlSink {
  open(name: string, attributes: Attributes): void;
  /** `line`: of the file, on which the text begins; other numbers may take its place (see `TracedText`). */
  text(data: string, line?: number): void;
  close(name: string): void;
}

export interface HtmlBlocks extends HtmlSink {
  /** The open list item is numbered so, whatever its list says. */
  mark(label: string): void;
  end(): void;
}

export type Attributes = Readonly<Record<string, string>>;

export interface HtmlBlockOptions {
  /** Leave out what surrounds a page's content: navigation, banners, asides, footers, forms' controls. */
  readonly mainOnly?: boolean;
  /** Added to every heading's level: the HTML stands below a heading of its own. */
  readonly deeper?: number;
}

/** Their content is not prose: code, styles, pictures' insides, form values. */
const SILENT = new Set(
  'script style template noscript svg annotation head iframe object embed audio video canvas map select textarea datalist'.split(
    ' ',
  ),
);
const SURROUNDING = new Set('nav footer aside button form dialog menu'.split(' '));
const SURROUNDING_ROLES = new Set(
  'navigation banner contentinfo complementary search dialog alert menu'.split(' '),
);
const BLOCKS = new Set(
  `address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2
   h3 h4 h5 h6 header hgroup hr html li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul
   caption legend optgroup option center frameset noframes dir`.split(/\s+/),
);
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const LISTS = new Set(['ul', 'ol', 'dl', 'menu', 'dir']);
/** Tables inside tables inside tables lay a page out; past this depth they are read as plain blocks at once. */
const TABLE_DEPTH = 6;

export const htmlBlocks = (builder: TreeBuilder, options: HtmlBlockOptions = {}): HtmlBlocks =>
  new BlockReader(builder, options);

class BlockReader implements HtmlBlocks {
  readonly #builder: TreeBuilder;
  readonly #options: HtmlBlockOptions;
  /** Text of the paragraph, heading or list line being read. */
  #inline = new TracedText();
  /** Name of the element whose content is dropped, and how many of that name are open inside it. */
  #silent: { readonly name: string; depth: number } | undefined;
  #heading: number | undefined;
  #quotes = 0;
  #code: { readonly text: TracedText; lang: string | undefined; depth: number } | undefined;
  readonly #lists: { readonly ordered: boolean; next: number }[] = [];
  #items: TracedText[] = [];
  #marker = '';
  #table: { readonly events: HtmlEvent[]; depth: number } | undefined;
  #tableDepth = 0;

  constructor(builder: TreeBuilder, options: HtmlBlockOptions) {
    this.#builder = builder;
    this.#options = options;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#silent !== undefined) {
      if (name === this.#silent.name && !VOID.has(name)) this.#silent.depth += 1;
    } else if (this.#code === undefined && this.#isSilent(name, attributes)) {
      if (BLOCKS.has(name)) this.#flush();
      if (!VOID.has(name)) this.#silent = { name, depth: 1 };
    } else if (this.#table !== undefined) {
      this.#table.events.push({ name, attributes });
      if (name === 'table') this.#table.depth += 1;
    } else if (this.#code !== undefined) {
      if (name === 'pre') this.#code.depth += 1;
      if (name === 'br') this.#code.text.add('\n');
      this.#code.lang ??= codeLanguage(attributes);
    } else if (name === 'br') this.#inline.add('\n');
    else if (BLOCKS.has(name)) this.#openBlock(name, attributes);
  }

  #openBlock(name: string, attributes: Attributes): void {
    this.#flush();
    if (name === 'table' && this.#tableDepth < TABLE_DEPTH) {
      this.#table = { events: [{ name, attributes }], depth: 1 };
    } else if (/^h[1-6]$/.test(name)) {
      this.#endList();
      this.#heading = Number(name[1]);
    } else if (name === 'pre') {
      this.#code = { text: new TracedText(), lang: codeLanguage(attributes), depth: 1 };
    } else if (LISTS.has(name)) {
      this.#lists.push({ ordered: name === 'ol', next: Number(attributes.start) || 1 });
      this.#marker = '';
    } else if ((name === 'li' || name === 'dt') && this.#lists.length > 0) {
      const list = this.#lists.at(-1)!;
      this.#marker = list.ordered ? `${list.next++}. ` : '- ';
    } else if (name === 'blockquote') {
      this.#endList();
      this.#quotes += 1;
    }
  }

  text(data: string, line?: number): void {
    if (this.#silent !== undefined) return;
    if (this.#table !== undefined) this.#table.events.push({ name: '', text: data, line });
    else if (this.#code !== undefined) this.#code.text.addLines(data, line);
    else this.#inline.append(new TracedText().addLines(data, line).replace(/[ \t\n\r\f\u00a0]+/g, ' '));
  }

  close(name: string): void {
    if (this.#silent !== undefined) {
      if (name === this.#silent.name) this.#silent.depth -= 1;
      if (this.#silent.depth === 0) this.#silent = undefined;
    } else if (this.#table !== undefined) {
      this.#table.events.push({ name, close: true });
      if (name === 'table') this.#table.depth -= 1;
      if (this.#table.depth === 0) this.#endTable(this.#table.events);
    } else if (this.#code !== undefined) {
      if (name === 'pre') this.#code.depth -= 1;
      if (this.#code.depth === 0) this.#endCode(this.#code);
    } else if (BLOCKS.has(name)) this.#closeBlock(name);
  }

  #closeBlock(name: string): void {
    this.#flush();
    if (/^h[1-6]$/.test(name)) this.#heading = undefined;
    else if (name === 'blockquote') this.#quotes = Math.max(0, this.#quotes - 1);
    else if (LISTS.has(name) && this.#lists.length > 0) {
      this.#lists.pop();
      if (this.#lists.length === 0) this.#endList();
    }
    if (name === 'li') this.#marker = '';
  }

  mark(label: string): void {
    if (this.#table !== undefined || this.#code !== undefined || this.#silent !== undefined) return;
    if (this.#marker !== '' && this.#inline.isBlank) this.#marker = `${label} `;
    else this.#inline.add(`${label} `);
  }

  end(): void {
    if (this.#table !== undefined) this.#endTable(this.#table.events);
    if (this.#code !== undefined) this.#endCode(this.#code);
    this.#flush();
    this.#lists.length = 0;
    this.#endList();
  }

  #isSilent(name: string, attributes: Attributes): boolean {
    if (SILENT.has(name) || attributes.hidden !== undefined) return true;
    if (!this.#options.mainOnly) return false;
    return (
      SURROUNDING.has(name) ||
      SURROUNDING_ROLES.has(attributes.role ?? '') ||
      attributes['aria-hidden'] === 'true' ||
      /display\s*:\s*none/i.test(attributes.style ?? '')
    );
  }

  #flush(): void {
    const text = collapse(this.#inline);
    this.#inline = new TracedText();
    if (text.text === '') return;
    if (this.#heading !== undefined) this.#builder.heading(this.#heading + (this.#options.deeper ?? 0), text);
    else if (this.#lists.length > 0) this.#addToItem(text);
    else if (this.#quotes > 0) this.#builder.quote(text);
    else this.#builder.paragraph(text);
  }

  #addToItem(text: TracedText): void {
    const indent = '  '.repeat(this.#lists.length - 1);
    const lines = text.replace(/\n/g, `\n${indent}  `);
    if (this.#marker === '' && this.#items.length > 0) this.#items.at(-1)!.add(`\n${indent}  `).append(lines);
    else this.#items.push(new TracedText().add(`${indent}${this.#marker}`).append(lines));
    this.#marker = '';
  }

  #endList(): void {
    if (this.#items.length > 0) this.#builder.list(this.#items);
    this.#items = [];
  }

  #endCode({ text, lang }: { readonly text: TracedText; readonly lang: string | undefined }): void {
    if (this.#lists.length > 0 && this.#items.length > 0 && text.text.split('\n').length < 4) {
      this.#flush();
      this.#addToItem(text.replace(/^\n+/g, '').trimEnd());
    } else {
      this.#endList();
      this.#builder.code(text.replace(/^\n/g, ''), lang);
    }
    this.#code = undefined;
  }

  /** What only lays out a page is read as plain blocks. */
  #endTable(events: readonly HtmlEvent[]): void {
    this.#table = undefined;
    const data = readTable(events);
    if (data !== undefined) {
      this.#endList();
      this.#builder.paragraph(data.caption);
      this.#builder.table(data.rows, data.headerRows);
      return;
    }
    this.#tableDepth += 1;
    for (const event of events.slice(1, -1)) {
      if (event.text !== undefined) this.text(event.text, event.line);
      else if (event.close) this.close(event.name);
      else this.open(event.name, event.attributes ?? {});
    }
    this.#tableDepth -= 1;
    this.#flush();
  }
}

/** White space as a browser shows it: runs are one space, `<br>` is a line. */
const collapse = (text: TracedText): TracedText =>
  text
    .replace(/ {2,}/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();

/** `class="language-ts"` (HTML's own advice), `lang-ts`, `highlight-source-ts`, `brush: js`. */
function codeLanguage(attributes: Attributes): string | undefined {
  const classes = attributes.class ?? '';
  return (
    /(?:^|\s)(?:language|lang|highlight-source|highlight|brush:?)[-\s]([\w+#.-]+)/i.exec(classes)?.[1] ??
    attributes['data-lang'] ??
    attributes['data-language']
  );
}
