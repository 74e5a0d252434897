import { DEAD, PAGE_UNITS, UnitPage, type UnitRecord } from '../../../store/words/unit-page.js';
import type { PageRow } from '../../../store/words/unit-table.js';
import type { Connection } from '../connection.js';
import type { Value } from '../values.js';

/** The pages a change touches; written once, at its end. */
export class UnitPages {
  readonly #connection: Connection;
  readonly #pages = new Map<number, UnitPage>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  set(unit: number, record: UnitRecord): void {
    this.#page(unit).set(unit % PAGE_UNITS, record);
  }

  kill(unit: number): void {
    this.#page(unit).types[unit % PAGE_UNITS] = DEAD;
  }

  /** A page without live units stays as an empty row for a while, so that other processes hear of it. */
  flush(generation: number): void {
    for (const [page, content] of this.#pages) {
      const data = content.isEmpty ? NOTHING : content.encode(page);
      this.#connection.run('INSERT OR REPLACE INTO unit_pages VALUES (?, ?, ?)', page, generation, data);
    }
    this.#pages.clear();
  }

  #page(unit: number): UnitPage {
    const number = Math.floor(unit / PAGE_UNITS);
    const known = this.#pages.get(number);
    if (known !== undefined) return known;
    const row = this.#connection.get('SELECT data FROM unit_pages WHERE page = ?', number);
    const data = row === undefined ? NOTHING : dataOf(row[0]);
    const page = data.length === 0 ? new UnitPage() : UnitPage.decode(data, number);
    this.#pages.set(number, page);
    return page;
  }
}

/** Pages as they are kept; an empty one has no data. */
export const pageRows = (connection: Connection, where: string, ...values: readonly number[]): PageRow[] =>
  connection
    .all(`SELECT page, data FROM unit_pages WHERE ${where}`, ...values)
    .map(([page, data]) => [Number(page), dataOf(data)]);

const NOTHING = new Uint8Array();
/** In a damaged row anything may stand; what is no bytes becomes some that fail their checksum. */
const dataOf = (value: Value | undefined): Uint8Array =>
  value instanceof Uint8Array ? value : Uint8Array.of(0);
