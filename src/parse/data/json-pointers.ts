import { escapeToken } from '../../model/pointer.js';
import { labelOf } from './json-scan.js';
import type { JsonTable } from './json-table.js';

/** The pointer of a node (RFC 6901), put together when it is first asked for: most containers have no block of their own. */
export interface NodePointer {
  text(): string;
}

/** Of the whole document, or of one of many. */
export const givenPointer = (text: string): NodePointer => ({ text: () => text });

export const ROOT = givenPointer('');

export class InnerPointer implements NodePointer {
  readonly #table: JsonTable;
  readonly #node: number;
  readonly #parent: NodePointer;
  #text: string | undefined;

  constructor(table: JsonTable, node: number, parent: NodePointer) {
    this.#table = table;
    this.#node = node;
    this.#parent = parent;
  }

  /** Without recursion: documents nest by the thousand. */
  text(): string {
    if (this.#text !== undefined) return this.#text;
    const labels: string[] = [];
    let at: NodePointer = this;
    for (; at instanceof InnerPointer && at.#text === undefined; at = at.#parent)
      labels.push(escapeToken(labelOf(at.#table, at.#node)));
    this.#text = detached([at.text(), ...labels.reverse()].join('/'));
    return this.#text;
  }
}

/** That of a node which is asked for once. */
export const pointerInside = (table: JsonTable, node: number, parent: NodePointer): string =>
  detached(`${parent.text()}/${escapeToken(labelOf(table, node))}`);

/** A copy with no part in another string: a slice would keep the whole, a joined string all it was joined from. */
export const detached = (text: string): string => Buffer.from(text).toString();
