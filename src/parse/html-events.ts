import { Parser } from 'htmlparser2';
import type { HtmlSink } from './html-blocks.js';

/** HTML text as events, without a DOM. The tokenizer is lenient, as browsers are, and never recurses. */
export function readHtml(html: string, sink: HtmlSink): void {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => sink.open(name, attributes),
      ontext: (data) => sink.text(data),
      onclosetag: (name) => sink.close(name),
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  parser.end(html);
}
