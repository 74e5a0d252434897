import type { Json } from '../model/json/json.js';
import type { Backend, RecordChange } from '../store/backend.js';

/**
 * Small records of one kind (users, tools, …), so that every driver keeps them and `move` takes them along. A library that
 * was found may hold anything: what is not of the kind, or stands under another id than its own, does not exist.
 */
export class RecordKind<T extends object> {
  readonly #kind: string;
  readonly #isOne: (value: unknown) => value is T;
  readonly #idOf: (value: T) => string;

  constructor(kind: string, isOne: (value: unknown) => value is T, idOf: (value: T) => string) {
    this.#kind = kind;
    this.#isOne = isOne;
    this.#idOf = idOf;
  }

  async read(backend: Backend, id: string): Promise<T | null> {
    return this.#checked(id, await backend.record(this.#kind, id));
  }

  async readAll(backend: Backend): Promise<readonly T[]> {
    const records = await backend.records(this.#kind);
    return records.flatMap(({ id, value }) => this.#checked(id, value) ?? []);
  }

  put(value: T): RecordChange {
    return { kind: this.#kind, id: this.#idOf(value), value: value as unknown as Json };
  }

  remove(id: string): RecordChange {
    return { kind: this.#kind, id, value: null };
  }

  #checked(id: string, value: unknown): T | null {
    return this.#isOne(value) && this.#idOf(value) === id ? value : null;
  }
}
