import type { UnitTable } from '../../../store/words/unit-table.js';
import { WordIndex } from '../../../store/words/word-index.js';
import type { Connection } from '../connection.js';
import { readState } from '../state.js';
import { liveSegments, segmentSource } from './segments.js';
import { pageRows } from './unit-pages.js';

/** The file is at hand: few blocks need to stay in memory. */
const BLOCK_BYTES = 8 * 2 ** 20;
const NOTHING = { dataVersion: -1, writes: -1, generation: -1, indexVersion: -1 };

/**
 * Keeps the index in memory in step with the file: before each question it asks SQLite whether any process has
 * committed since, and then reads the changed pages of the unit table and the list of segments. Nothing is read when
 * the library is opened.
 */
export class IndexCache {
  readonly index: WordIndex;
  readonly #connection: Connection;
  readonly #onChange: () => void;
  #seen = NOTHING;

  constructor(connection: Connection, onChange: () => void) {
    this.index = new WordIndex(segmentSource(connection), BLOCK_BYTES);
    this.#connection = connection;
    this.#onChange = onChange;
  }

  get table(): UnitTable {
    return this.index.table;
  }

  /** Whether a question has been asked, of which all units are in memory. */
  get isLoaded(): boolean {
    return this.#seen !== NOTHING;
  }

  get generation(): number {
    return this.#seen.generation;
  }

  /** Inside a read, before anything else of it. */
  sync(): void {
    const dataVersion = Number(this.#connection.get('PRAGMA data_version')![0]);
    const { writes } = this.#connection;
    if (dataVersion === this.#seen.dataVersion && writes === this.#seen.writes) return;
    const { generation, index_version, purged } = readState(this.#connection);
    const tombstones = this.#connection.all('SELECT unit FROM tombstones');
    if (generation !== this.#seen.generation || tombstones.length > 0) {
      this.#syncUnits(generation, purged);
      for (const [unit] of tombstones) this.table.kill(Number(unit));
      this.index.forgetLists();
      this.#onChange();
    }
    if (index_version !== this.#seen.indexVersion) this.index.setSegments(liveSegments(this.#connection));
    this.#seen = { dataVersion, writes, generation, indexVersion: index_version };
  }

  /** After damage or repair: as if nothing had been read. */
  reset(): void {
    this.#seen = NOTHING;
    this.index.clear();
    this.#onChange();
  }

  #syncUnits(generation: number, purged: number): void {
    const since = this.#seen.generation;
    const isOld = since < purged || since > generation;
    if (isOld) this.table.clear();
    this.table.load(pageRows(this.#connection, 'generation > ?', isOld ? -1 : since));
  }
}
