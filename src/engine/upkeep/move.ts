import { resolve } from 'node:path';
import { StrataError } from '../../model/errors.js';
import type { Json } from '../../model/json/json.js';
import type { Backend } from '../../store/backend.js';
import { openStore, shownSpec, specOf, switchStore } from '../drivers.js';
import type { LibraryParts } from '../library-parts.js';
import { type CopyOptions, type CopyReport, copyLibrary } from './move-library.js';

export interface MoveOptions extends CopyOptions {
  /** The store to move to, as `--store` names it. */
  readonly to?: string | undefined;
  /** Who is asked for the nearest passages: `turbopuffer:NAMESPACE`, or `embedded`. The library stays where it is. */
  readonly vectors?: string | undefined;
  /** From now on the library is kept there. */
  readonly switch?: boolean | undefined;
  readonly cwd?: string | undefined;
}

export interface MoveReport extends CopyReport {
  readonly from: string;
  readonly to: string;
  readonly switched: boolean;
}

const KIND = 'move';
const ID = 'from';

/**
 * A library in another store. The source stays as it is, and the library stays with it until `switch`: then what is
 * written down beside it names the new store. Interrupted at whatever moment, the same command goes on.
 */
export async function moveLibrary(
  parts: LibraryParts,
  { to, vectors, cwd = process.cwd(), ...options }: MoveOptions,
): Promise<MoveReport> {
  const { backend, location } = parts;
  if ((to === undefined) === (vectors === undefined))
    throw new StrataError(
      'INVALID_ARGUMENT',
      'to, vectors: name the store to move to, or who keeps the vectors',
    );
  if (vectors !== undefined) return moveVectors(parts, vectors, options);
  if (to === undefined) throw new StrataError('INTERNAL', 'no store to move to');
  const spec = specOf(to, { cwd: resolve(cwd), location });
  const target = await openStore(spec, { location, isAsked: true });
  try {
    if (target.driver === backend.driver && target.location === backend.location) {
      throw new StrataError(
        'INVALID_ARGUMENT',
        `${shownSpec(spec)}: the library is kept there already; name another store`,
      );
    }
    await refuseAnothers(target, backend);
    const report = await copyLibrary(backend, target, options);
    if (options.switch) {
      await target.commit({ records: [{ kind: KIND, id: ID, value: null }] });
      await switchStore(location, spec);
    }
    return {
      ...report,
      from: `${backend.driver}:${backend.location}`,
      to: shownSpec(spec),
      switched: options.switch ?? false,
    };
  } finally {
    await target.close();
  }
}

/** Only the vectors get a copy elsewhere; all the rest stays. */
async function moveVectors(parts: LibraryParts, vectors: string, options: CopyOptions): Promise<MoveReport> {
  const { backend } = parts;
  const { mirrorLibrary } = await import('../mirror/mirror-library.js');
  const { problems, upserted } = await mirrorLibrary(parts, vectors, options);
  if (problems.length > 0)
    throw new StrataError('VECTORS_UNAVAILABLE', `${problems[0]}; the same command goes on`);
  const sent = [...upserted.values()].reduce((sum, count) => sum + count, 0);
  const from = `${backend.driver}:${backend.location}`;
  return { ...(await backend.counts()), vectors: sent, kept: 0, from, to: vectors, switched: true };
}

/** A store with documents in it that no move of this library has brought is somebody's: nothing of it is overwritten. */
async function refuseAnothers(target: Backend, source: Backend): Promise<void> {
  const mark: Json = { driver: source.driver, location: source.location };
  const known = await target.record(KIND, ID);
  if (known !== null && JSON.stringify(known) === JSON.stringify(mark)) return;
  const { documents } = await target.counts();
  if (documents > 0) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      `${target.location}: holds ${documents} documents already, and no move of this library; name another place`,
    );
  }
  await target.commit({ records: [{ kind: KIND, id: ID, value: mark }] });
}
