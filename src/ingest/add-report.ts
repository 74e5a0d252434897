import type { ErrorCode } from '../model/errors.js';

export type AddOutcome = 'added' | 'changed' | 'renamed' | 'unchanged' | 'removed' | 'failed' | 'skipped';

/** What became of one source. */
export interface AddEntry {
  readonly outcome: AddOutcome;
  readonly source_path: string;
  readonly id?: string;
  readonly chunk_count?: number;
  /** The ids of its slices, in order, where the library cuts at H2. */
  readonly chunk_ids?: readonly string[];
  /** A rename's old path. */
  readonly from?: string;
  /** Why it failed or was skipped. */
  readonly reason?: string;
  readonly code?: ErrorCode;
  /** It failed before, and has not changed since. */
  readonly known?: true;
  readonly warnings?: readonly string[];
}

export interface AddReport {
  readonly added: number;
  readonly changed: number;
  readonly renamed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly failed: number;
  /** Pictures, archives and the like, met while walking a folder: no documents. */
  readonly skipped: number;
  /** One entry a source, in the order they were met; unchanged ones are left out. */
  readonly entries: readonly AddEntry[];
  readonly chunks: { readonly kept: number; readonly added: number; readonly removed: number };
  readonly embedded: number;
  readonly dry_run: boolean;
  readonly interrupted: boolean;
  readonly seconds: number;
  readonly notices: readonly string[];
}
