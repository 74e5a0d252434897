import { Parser } from 'htmlparser2';
import { StrataError } from '../../model/errors.js';
import type { HtmlSink } from './blocks.js';

/**
 * HTML text as events, without a DOM. The tokenizer is lenient, as browsers are, and never recurses, but each tag
 * costs it time in proportion to the depth it stands at: hence the limit.
 */
export function readHtml(html: string, sink: HtmlSink, nesting: number, isXhtml = false): void {
  let depth = 0;
  let line = 1;
  let newline = html.indexOf('\n');
  /** Text comes in the order of the file, so that each newline is met once. */
  const lineAt = (offset: number): number => {
    for (; newline >= 0 && newline < offset; newline = html.indexOf('\n', newline + 1)) line += 1;
    return line;
  };
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        depth += 1;
        if (depth > nesting) throw new StrataError('LIMIT', `its tags nest deeper than ${nesting} levels`);
        sink.open(name, attributes);
      },
      ontext: (data) => sink.text(data, lineAt(parser.startIndex)),
      onclosetag: (name) => {
        depth -= 1;
        sink.close(name);
      },
    },
    // `<title/>` ends where it starts in XHTML; in HTML it would take the page for its text.
    { decodeEntities: true, lowerCaseTags: true, recognizeSelfClosing: isXhtml },
  );
  parser.end(html);
}
