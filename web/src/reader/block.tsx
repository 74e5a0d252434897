import type { JSX } from 'preact';
import { plain } from '../parts/plain.js';
import { inline } from './inline.js';
import type { Segment } from './segments.js';

/** One piece of a document, drawn as what it is. Markdown's marks are read; other formats are text already. */
export function Block({
  text,
  kind,
  level,
  format,
}: Pick<Segment, 'kind' | 'level'> & { readonly text: string; readonly format: string }) {
  const isMarkdown = format === 'markdown';
  switch (kind) {
    case 'heading':
      return heading(isMarkdown ? headingText(text) : plain(text).trim(), level);
    case 'code':
      return <pre class="code">{plain(isMarkdown ? withoutFence(text) : text.replace(/\n+$/, ''))}</pre>;
    case 'table':
      return <Table text={text} />;
    case 'list':
      return isMarkdown ? <List text={text} /> : <p class="prose">{plain(text)}</p>;
    case 'quote':
      return <blockquote>{inline(text.replace(/^ {0,3}> ?/gm, '').trim())}</blockquote>;
    case 'html':
      return <pre class="raw">{plain(text.trim())}</pre>;
    case 'gap':
      return text.trim() === '' ? null : <pre class="raw">{plain(text.trim())}</pre>;
    default:
      return <p class="prose">{isMarkdown ? inline(text.trim()) : plain(text.trim())}</p>;
  }
}

function heading(text: string, level: number) {
  const Tag = `h${Math.min(6, Math.max(2, level + 1))}` as 'h2';
  return <Tag class={`level-${level}`}>{inline(text)}</Tag>;
}

const headingText = (text: string): string =>
  text
    .trim()
    .replace(/^#{1,6}\s+/, '')
    .replace(/\s+#+\s*$/, '')
    .replace(/\n[=-]+\s*$/, '')
    .replace(/\s*\{#[^}]*\}$/, '');

const withoutFence = (text: string): string =>
  text.replace(/^ {0,3}(`{3,}|~{3,})[^\n]*\n?/, '').replace(/\n? {0,3}(`{3,}|~{3,})\s*$/, '');

const ITEM = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+/;

function List({ text }: { readonly text: string }) {
  const items: { depth: number; text: string }[] = [];
  for (const line of text.split('\n')) {
    const match = ITEM.exec(line);
    if (match)
      items.push({ depth: Math.min(6, Math.floor(match[1]!.length / 2)), text: line.slice(match[0].length) });
    else if (items.length > 0) items.at(-1)!.text += `\n${line.trim()}`;
    else if (line.trim() !== '') items.push({ depth: 0, text: line.trim() });
  }
  return (
    <ul>
      {items.map((item, at) => (
        <li key={`${at}`} class={`depth-${item.depth}`}>
          {inline(item.text.trim())}
        </li>
      ))}
    </ul>
  );
}

const CELLS = /(?<!\\)\|/;
const RULE = /^[\s|:-]+$/;

function Table({ text }: { readonly text: string }): JSX.Element {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (!lines.every((line) => line.includes('|'))) return <pre class="raw">{plain(text.trim())}</pre>;
  const rows = lines
    .filter((line) => !RULE.test(line))
    .map((line) =>
      line
        .trim()
        .replace(/^\||\|$/g, '')
        .split(CELLS)
        .map((cell) => cell.trim()),
    );
  const hasHead = lines[1] !== undefined && RULE.test(lines[1]);
  const [head, body] = hasHead ? [rows[0], rows.slice(1)] : [undefined, rows];
  return (
    <div class="table">
      <table>
        {head && (
          <thead>
            <tr>
              {head.map((cell, at) => (
                <th key={`${at}`}>{inline(cell)}</th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {body.map((row, y) => (
            <tr key={`${y}`}>
              {row.map((cell, at) => (
                <td key={`${at}`}>{inline(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
