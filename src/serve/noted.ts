import { isStrataError } from '../model/errors.js';
import { type AuditEntry, type AuditLog, authorOf } from '../tools/access/audit.js';
import type { Principal } from '../tools/access/principal.js';
import type { Operation } from './operation.js';

/** What is done, by whom and how, as the audit log has it. */
export interface Deed {
  readonly principal: Principal;
  readonly via: AuditEntry['via'];
  readonly operation: Pick<Operation, 'name' | 'subject'>;
  readonly input: Readonly<Record<string, unknown>>;
  readonly address: string | null;
}

/** Reading is noted only where it comes over the network: nobody's own searches are written down on their machine. */
export const changesLibrary = ({ access, changes }: Pick<Operation, 'access' | 'changes'>): boolean =>
  changes ?? (access === 'write' || access === 'owner');

/** What came over the network has not been checked when it is noted: a wrong type names nothing. */
function subjectOf({ subject }: Deed['operation'], input: Deed['input']): string | null {
  try {
    const named = subject?.(input);
    return typeof named === 'string' ? named : null;
  } catch {
    return null;
  }
}

/** Does the work and notes it, however it ends. */
export async function noted<T>(log: AuditLog, deed: Deed, work: () => Promise<T>): Promise<T> {
  const { principal, via, operation, input, address } = deed;
  const entry = {
    by: authorOf(principal),
    via,
    action: operation.name,
    subject: subjectOf(operation, input),
    address,
  };
  try {
    const answer = await work();
    log.note({ ...entry, outcome: 'done', code: null });
    return answer;
  } catch (error) {
    const code = isStrataError(error) ? error.code : 'INTERNAL';
    log.note({ ...entry, outcome: code === 'FORBIDDEN' ? 'refused' : 'failed', code });
    throw error;
  }
}
