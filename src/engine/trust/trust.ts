import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { reasonOf, StrataError } from '../../model/errors.js';
import { type Agreement, addAgreements, readAgreements, type Subject } from './agreements.js';

export interface TrustOptions {
  /** Asks the person at the terminal; none where nobody can be asked. */
  readonly onConsent?: ((question: string) => Promise<boolean>) | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** The folder is a link, and it is the link that is asked about, not the library it leads to. */
  readonly isLink?: boolean;
}

/** What a library asks for, as a person reads it. */
const WORDS: Readonly<Record<Subject, (value: string) => string>> = {
  owner: (value) => `belongs to another user (uid ${value}), who decides what is found in it`,
  store: (value) => `keeps its data outside its folder, in ${plain(value)}`,
  embedder: (value) =>
    `makes its vectors with ${plain(value)}: texts and questions go there, or a model from there is run`,
  vectors: (value) =>
    `keeps vectors of its texts in ${plain(value)}: they and your questions' vectors go there, with your key`,
  sources: (value) => `names files below ${plain(value)}`,
};

/**
 * A library that was found, not made, is data. What it asks for beyond its own folder counts only after the user has
 * agreed to exactly that, once; what the user names, by a flag or in the environment, is agreed to.
 */
export class LibraryTrust {
  readonly location: string;
  readonly #options: TrustOptions;

  constructor(location: string, options: TrustOptions = {}) {
    this.location = options.isLink ? ownPath(location) : realPath(location);
    this.#options = options;
  }

  get #env(): NodeJS.ProcessEnv {
    return this.#options.env ?? process.env;
  }

  async agreements(about?: Subject): Promise<readonly Agreement[]> {
    const all = await readAgreements(this.#env);
    return all.filter((one) => one.library === this.location && (about === undefined || one.about === about));
  }

  async agreementOn(about: Subject, value: string): Promise<Agreement | undefined> {
    return (await this.agreements(about)).find((one) => one.value === value);
  }

  /** The agreement, asked for where there is a terminal. Throws UNTRUSTED. */
  async require(about: Subject, value: string): Promise<Agreement> {
    const known = await this.agreementOn(about, value);
    if (known !== undefined) return known;
    const matter = `${this.location}: this library ${WORDS[about](value)}`;
    if (!(await this.#options.onConsent?.(`${matter}.\nDo you trust this library with that?`))) {
      throw new StrataError('UNTRUSTED', `${matter}; if you trust it, run \`strata trust\` (see --library)`);
    }
    return this.record(about, value, 'agreed');
  }

  /** What the user has named, or agreed to. */
  async record(about: Subject, value: string, by: Agreement['by']): Promise<Agreement> {
    const known = await this.agreementOn(about, value);
    if (known !== undefined && (known.by === by || known.by === 'named')) return known;
    const agreement = { library: this.location, about, value, by, at: new Date().toISOString() };
    await addAgreements([agreement], this.#env);
    return agreement;
  }

  /** As `record`, for what works without: a home that cannot be written must not keep anybody from adding. */
  async note(about: Subject, ...values: readonly string[]): Promise<void> {
    const at = new Date().toISOString();
    const named = values.map((value) => ({ library: this.location, about, value, by: 'named' as const, at }));
    const known = await this.agreements(about).catch(() => []);
    const isNew = named.some(({ value }) => !known.some((one) => one.value === value && one.by === 'named'));
    if (isNew) await addAgreements(named, this.#env).catch((error: unknown) => void reasonOf(error));
  }
}

/** Where a path leads, links resolved, also where nothing is there yet: writing to it would make it. */
export function realPath(path: string, links = 0): string {
  try {
    return realpathSync(path);
  } catch {
    if (dirname(path) === path || links > MOST_LINKS) return path;
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
    if (isLink) return realPath(resolve(dirname(path), readlinkSync(path)), links + 1);
    return join(realPath(dirname(path), links), basename(path));
  }
}

/** Where a link itself stands. */
export const ownPath = (path: string): string => join(realPath(dirname(path)), basename(path));

/** Linux follows at most this many links, too. */
const MOST_LINKS = 40;

/** Text of a library in a question: whatever would move the cursor or turn the reading direction is left out. */
const plain = (value: string): string => value.replace(/\p{C}/gu, '�').slice(0, 500);
