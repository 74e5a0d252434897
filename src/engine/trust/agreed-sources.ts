import { resolve } from 'node:path';
import { insideAny, isWebAddress } from '../../source/path.js';
import type { LibraryTrust } from './trust.js';

/** Folders outside the library's root that its user has added from: see `verify/stale.ts` for what they allow. */
export class AgreedSources {
  readonly #root: string;
  readonly #trust: LibraryTrust;
  #folders: Promise<readonly string[]> | undefined;

  constructor(root: string, trust: LibraryTrust) {
    this.#root = root;
    this.#trust = trust;
  }

  async folders(): Promise<readonly string[]> {
    this.#folders ??= this.#trust
      .agreements('sources')
      .then((agreements) => agreements.map(({ value }) => value));
    return this.#folders;
  }

  /** Whoever adds files from somewhere agrees that they are read again there. */
  async agreeTo(targets: readonly string[], cwd: string): Promise<void> {
    const paths = targets.filter((target) => !isWebAddress(target)).map((target) => resolve(cwd, target));
    const isKnown = insideAny([this.#root, ...(await this.folders())]);
    const added = [...new Set(paths.filter((path) => !isKnown(path)))];
    if (added.length === 0) return;
    await this.#trust.note('sources', ...added);
    this.#folders = undefined;
  }
}
