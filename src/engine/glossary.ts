import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { OWN_FILE } from '../store/own-file.js';
import { type Glossary, readGlossary } from '../text/translate/glossary.js';

/** The user's own words for things; see docs/guides/glossary.md. */
export const GLOSSARY_FILE = 'strata.glossary.tsv';

const MOST_BYTES = 2 ** 20;

/**
 * The glossary of a library: the file beside it, else the one in its folder. It may come with a cloned repository, so no
 * link is followed and no more is read than anybody writes; all it can change is which passages of this library are found.
 */
export class GlossaryFile {
  readonly #folders: readonly string[];
  #known: { readonly state: string; readonly glossary: Glossary } | undefined;

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** Read again when the file has changed. */
  async read(): Promise<Glossary | undefined> {
    for (const folder of this.#folders) {
      const found = await this.#readIn(folder);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #readIn(folder: string): Promise<Glossary | undefined> {
    const file = await open(join(folder, GLOSSARY_FILE), OWN_FILE).catch(() => null);
    if (file === null) return undefined;
    try {
      const { size, mtimeMs, ino } = await file.stat();
      const state = [folder, size, mtimeMs, ino].join(' ');
      if (this.#known?.state !== state) {
        const isFile = (await file.stat()).isFile();
        const glossary = !isFile
          ? unusable('it is no file')
          : size > MOST_BYTES
            ? unusable('it is larger than 1 MB')
            : readGlossary(await file.readFile('utf8'), GLOSSARY_FILE);
        this.#known = { state, glossary };
      }
      return this.#known.glossary;
    } finally {
      await file.close();
    }
  }
}

const unusable = (why: string): Glossary => ({
  entries: [],
  problems: [`${GLOSSARY_FILE} is not used: ${why}`],
});
