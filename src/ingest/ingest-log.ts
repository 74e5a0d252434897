import { isStrataError, reasonOf } from '../model/errors.js';
import type { Backend } from '../store/backend.js';
import type { AddOptions } from './add-options.js';
import type { AddEntry } from './add-report.js';
import { Committer, type Step } from './committer.js';
import { type Failures, failedBefore, rememberFailure } from './failures.js';
import type { Candidate } from './gather.js';

interface LogOptions extends Pick<AddOptions, 'dry_run' | 'force'> {
  /** What the library remembers of files that could not be read. */
  readonly failures: Failures;
  /** Another process is writing, and this one waits for it. */
  onWait(): void;
}

/** What became of each file: noted here, once the store has taken what belongs to it. */
export class IngestLog {
  readonly #options: LogOptions;
  readonly #committer: Committer;
  #entries: AddEntry[] = [];

  constructor(backend: Backend, options: LogOptions) {
    this.#options = options;
    this.#committer = new Committer(backend, () => options.onWait());
  }

  get entries(): readonly AddEntry[] {
    return this.#entries;
  }

  get chunks(): { readonly kept: number; readonly added: number; readonly removed: number } {
    const { kept, added, removed } = this.#committer;
    return { kept, added, removed };
  }

  note(entry: AddEntry): void {
    this.#entries.push(entry);
  }

  /** What was noted of a file that is now read again. */
  drop(path: string): void {
    this.#entries = this.#entries.filter(({ source_path }) => source_path !== path);
  }

  /** Workers finish in any order; the report has that of the files. What was noted before them stays before them. */
  sort(since: number, files: readonly { readonly source_path: string }[]): void {
    const place = new Map(files.map(({ source_path }, at) => [source_path, at]));
    const at = ({ source_path }: AddEntry): number => place.get(source_path) ?? -1;
    const later = this.#entries.splice(since);
    this.#entries.push(...later.sort((a, b) => at(a) - at(b)));
  }

  async commit(
    change: Step['change'],
    entry: AddEntry,
    onFailure: (failed: AddEntry) => void = (failed) => this.note(failed),
  ): Promise<void> {
    if (this.#options.dry_run) return this.note(entry);
    await this.#committer.add({
      change,
      done: (error) => (error === null ? this.note(entry) : onFailure(failure(entry.source_path, error))),
    });
  }

  /** Ends the run where the store itself fails; any other failure is this file's, and is remembered. */
  async fail(candidate: Candidate, error: unknown): Promise<void> {
    if (isStrataError(error) && error.code.startsWith('STORE_')) throw error;
    const { failures, force } = this.#options;
    const entry = failure(candidate.source_path, error);
    const before = failedBefore(failures, candidate);
    if (before !== undefined && before.code === entry.code && !force) {
      return this.note({ ...entry, known: true });
    }
    const records = candidate.isPage ? [] : rememberFailure(candidate, error, entry.reason ?? '');
    if (records.length > 0) await this.commit({ records }, entry);
    else this.note(entry);
  }

  /** All that was to be committed is, or has failed. */
  async finish(): Promise<void> {
    await this.#committer.finish();
  }
}

/** Parsers do not know the path, and readers say it first: in either case the line names it once. */
function failure(source_path: string, error: unknown): AddEntry {
  const reason = reasonOf(error);
  return {
    outcome: 'failed',
    source_path,
    reason: reason.startsWith(`${source_path}:`) ? reason : `${source_path}: ${reason}`,
    code: isStrataError(error) ? error.code : 'INTERNAL',
  };
}
