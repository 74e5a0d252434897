import { extname } from 'node:path';

interface File {
  readonly name: string;
  readonly size: number;
}

/**
 * What is left to do, for several workers: each stays with a kind of file while there are any, since every process
 * compiles the parsers it uses for itself, and takes the largest first, so that none is alone with one in the end.
 * A single worker takes them as they come.
 */
export class WorkQueue<T extends File> {
  readonly #kinds = new Map<string, Kind<T>>();
  readonly #current: (Kind<T> | undefined)[];
  #left: number;

  constructor(files: readonly T[], workers: number) {
    this.#left = files.length;
    this.#current = new Array(workers).fill(undefined);
    for (const file of files) {
      const name = workers === 1 ? '' : extname(file.name).toLowerCase();
      const kind = this.#kinds.get(name) ?? { files: [], bytes: 0 };
      this.#kinds.set(name, kind);
      kind.files.push(file);
      kind.bytes += file.size;
    }
    // Taken from the end.
    for (const { files: some } of this.#kinds.values()) {
      some.reverse();
      if (workers > 1) some.sort((a, b) => a.size - b.size);
    }
  }

  next(worker: number): T | undefined {
    let kind = this.#current[worker];
    if (kind === undefined || kind.files.length === 0) {
      kind = this.#choose();
      this.#current[worker] = kind;
    }
    const file = kind?.files.pop();
    if (kind && file) {
      kind.bytes -= file.size;
      this.#left--;
    }
    return file;
  }

  /** How many a worker may have waiting, so that in the end all have some: its share of half of what is left. */
  share(most: number): number {
    return Math.max(2, Math.min(most, Math.ceil(this.#left / (2 * this.#current.length))));
  }

  /** The kind with most left to do, rather one that nobody is at. */
  #choose(): Kind<T> | undefined {
    const left = [...this.#kinds.values()].filter(({ files }) => files.length > 0);
    const free = left.filter((kind) => !this.#current.includes(kind));
    return (free.length > 0 ? free : left).sort((a, b) => b.bytes - a.bytes)[0];
  }
}

interface Kind<T> {
  readonly files: T[];
  bytes: number;
}
