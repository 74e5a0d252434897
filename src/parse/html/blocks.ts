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

export function htmlBlocks(builder: TreeBuilder, options: HtmlBlockOptions = {}): HtmlBlocks {
  /** Text of the paragraph, heading or list line being read. */
  let inline = new TracedText();
  /** Name of the element whose content is dropped, and how many of that name are open inside it. */
  let silent: { readonly name: string; depth: number } | undefined;
  let heading: number | undefined;
  let quotes = 0;
  let code: { readonly text: TracedText; lang: string | undefined; depth: number } | undefined;
  const lists: { readonly ordered: boolean; next: number }[] = [];
  let items: TracedText[] = [];
  let marker = '';
  let table: { readonly events: HtmlEvent[]; depth: number } | undefined;
  let tableDepth = 0;

  const flush = (): void => {
    const text = collapse(inline);
    inline = new TracedText();
    if (text.text === '') return;
    if (heading !== undefined) builder.heading(heading + (options.deeper ?? 0), text);
    else if (lists.length > 0) addToItem(text);
    else if (quotes > 0) builder.quote(text);
    else builder.paragraph(text);
  };

  const addToItem = (text: TracedText): void => {
    const indent = '  '.repeat(lists.length - 1);
    const lines = text.replace(/\n/g, `\n${indent}  `);
    if (marker === '' && items.length > 0) items.at(-1)!.add(`\n${indent}  `).append(lines);
    else items.push(new TracedText().add(`${indent}${marker}`).append(lines));
    marker = '';
  };

  const endList = (): void => {
    if (items.length > 0) builder.list(items);
    items = [];
  };

  const endCode = (): void => {
    const { text } = code!;
    if (lists.length > 0 && items.length > 0 && text.text.split('\n').length < 4) {
      flush();
      addToItem(text.replace(/^\n+/g, '').trimEnd());
    } else {
      endList();
      builder.code(text.replace(/^\n/g, ''), code!.lang);
    }
    code = undefined;
  };

  const endTable = (): void => {
    const { events } = table!;
    table = undefined;
    const data = readTable(events);
    if (data !== undefined) {
      endList();
      builder.paragraph(data.caption);
      builder.table(data.rows, data.headerRows);
      return;
    }
    tableDepth += 1;
    for (const event of events.slice(1, -1)) {
      if (event.text !== undefined) sink.text(event.text, event.line);
      else if (event.close) sink.close(event.name);
      else sink.open(event.name, event.attributes ?? {});
    }
    tableDepth -= 1;
    flush();
  };

  const isSilent = (name: string, attributes: Attributes): boolean =>
    SILENT.has(name) ||
    attributes.hidden !== undefined ||
    (options.mainOnly === true &&
      (SURROUNDING.has(name) ||
        SURROUNDING_ROLES.has(attributes.role ?? '') ||
        attributes['aria-hidden'] === 'true' ||
        /display\s*:\s*none/i.test(attributes.style ?? '')));

  const sink = {
    open(name: string, attributes: Attributes): void {
      if (silent !== undefined) {
        if (name === silent.name && !VOID.has(name)) silent.depth += 1;
        return;
      }
      if (isSilent(name, attributes) && code === undefined) {
        if (BLOCKS.has(name)) flush();
        if (!VOID.has(name)) silent = { name, depth: 1 };
        return;
      }
      if (table !== undefined) {
        table.events.push({ name, attributes });
        if (name === 'table') table.depth += 1;
        return;
      }
      if (code !== undefined) {
        if (name === 'pre') code.depth += 1;
        if (name === 'br') code.text.add('\n');
        code.lang ??= codeLanguage(attributes);
        return;
      }
      if (name === 'br') inline.add('\n');
      if (!BLOCKS.has(name)) return;
      flush();
      if (name === 'table' && tableDepth < TABLE_DEPTH) {
        table = { events: [{ name, attributes }], depth: 1 };
      } else if (/^h[1-6]$/.test(name)) {
        endList();
        heading = Number(name[1]);
      } else if (name === 'pre') {
        code = { text: new TracedText(), lang: codeLanguage(attributes), depth: 1 };
      } else if (LISTS.has(name)) {
        lists.push({ ordered: name === 'ol', next: Number(attributes.start) || 1 });
        marker = '';
      } else if ((name === 'li' || name === 'dt') && lists.length > 0) {
        const list = lists.at(-1)!;
        marker = list.ordered ? `${list.next++}. ` : '- ';
      } else if (name === 'blockquote') {
        endList();
        quotes += 1;
      }
    },

    text(data: string, line?: number): void {
      if (silent !== undefined) return;
      if (table !== undefined) table.events.push({ name: '', text: data, line });
      else if (code !== undefined) code.text.addLines(data, line);
      else inline.append(new TracedText().addLines(data, line).replace(/[ \t\n\r\f\u00a0]+/g, ' '));
    },

    close(name: string): void {
      if (silent !== undefined) {
        if (name === silent.name) silent.depth -= 1;
        if (silent.depth === 0) silent = undefined;
        return;
      }
      if (table !== undefined) {
        table.events.push({ name, close: true });
        if (name === 'table') table.depth -= 1;
        if (table.depth === 0) endTable();
        return;
      }
      if (code !== undefined) {
        if (name === 'pre') code.depth -= 1;
        if (code.depth === 0) endCode();
        return;
      }
      if (!BLOCKS.has(name)) return;
      flush();
      if (/^h[1-6]$/.test(name)) heading = undefined;
      else if (name === 'blockquote') quotes = Math.max(0, quotes - 1);
      else if (LISTS.has(name) && lists.length > 0) {
        lists.pop();
        if (lists.length === 0) endList();
      }
      if (name === 'li') marker = '';
    },

    mark(label: string): void {
      if (table !== undefined || code !== undefined || silent !== undefined) return;
      if (marker !== '' && inline.isBlank) marker = `${label} `;
      else inline.add(`${label} `);
    },

    end(): void {
      if (table !== undefined) endTable();
      if (code !== undefined) endCode();
      flush();
      lists.length = 0;
      endList();
    },
  };
  return sink;
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
