import type { Backend, Finding, Reindex } from '../../../store/backend.js';
import type { Connection } from '../connection.js';
import { type Definition, restoreDefinitions, wrongDefinitions } from '../definitions.js';
import { type Diagnosis, diagnose, findings, repair } from './check.js';
import { salvage } from './salvage.js';

export interface ExaminedLibrary {
  readonly connection: Connection;
  readonly reindex: Reindex | undefined;
  /** Opens another library, for what can be salvaged. */
  readonly openAt: (path: string) => Promise<Backend>;
  /** An empty commit: words follow the documents that were taken out. */
  readonly settle: () => Promise<unknown>;
  /** Pragmas of a fresh connection, and caches forgotten. */
  readonly renew: () => void;
}

/** Checks every invariant and, asked to, repairs: first the file, then records, then the index. */
export async function examineLibrary(library: ExaminedLibrary, fix: boolean): Promise<readonly Finding[]> {
  const { connection, reindex } = library;
  const wrong = definitionsOf(connection);
  if (wrong.length > 0) return mendDefinitions(library, wrong, fix);
  const diagnosis = await diagnose(connection.forReading(), reindex);
  const isWhole = Object.values(diagnosis).every((problems) => problems.length === 0);
  if (isWhole || !fix) return findings(diagnosis, false);
  if (diagnosis.file.length > 0) return mendFile(library, diagnosis);
  const told = await connection.write(() => repair(connection, diagnosis, reindex));
  library.renew();
  await library.settle();
  return told;
}

/** Asked of a connection of its own: the library's may refuse to answer for the very reason that is looked for. */
function definitionsOf(connection: Connection): readonly Definition[] {
  const reading = connection.forReading();
  try {
    return wrongDefinitions(reading);
  } finally {
    reading.close();
  }
}

/** Before anything else is asked: with a column renamed, every other answer would be about that. */
async function mendDefinitions(
  library: ExaminedLibrary,
  wrong: readonly Definition[],
  fix: boolean,
): Promise<readonly Finding[]> {
  const told = (fixed: boolean): Finding[] =>
    wrong.map(({ type, name, isForeign }) => ({
      area: 'file',
      message: isForeign
        ? `The ${type} ${name} is not one of Strata’s.`
        : `The definition of the ${type} ${name} is damaged.`,
      fixed,
    }));
  if (!fix) return told(false);
  const { connection, renew } = library;
  // With no statement of ours prepared: they are made from the old definitions.
  connection.close();
  try {
    restoreDefinitions(connection.path, wrong);
  } finally {
    connection.reopen();
    renew();
  }
  if (definitionsOf(connection).length === 0)
    return [...told(true), ...(await examineLibrary(library, true))];
  const { reindex } = library;
  return reindex === undefined ? told(false) : [...told(true), ...(await makeAnew(library, reindex))];
}

/** Indices can be made again from their tables; a damaged table means a new file from what is whole. */
async function mendFile(library: ExaminedLibrary, diagnosis: Diagnosis): Promise<readonly Finding[]> {
  const { connection, reindex } = library;
  const told = findings(
    { ...diagnosis, documents: [], words: [], vectors: [], sketches: [], records: [] },
    true,
  );
  try {
    await connection.write(() => connection.exec('REINDEX'));
    library.renew();
    const again = await diagnose(connection.forReading(), reindex);
    if (again.file.length === 0) return [...told, ...(await examineLibrary(library, true))];
  } catch {
    // The table itself is damaged.
  }
  return reindex === undefined
    ? findings(diagnosis, false)
    : [...told, ...(await makeAnew(library, reindex))];
}

async function makeAnew(
  { connection, openAt, renew }: ExaminedLibrary,
  reindex: Reindex,
): Promise<readonly Finding[]> {
  connection.close();
  const { documents, lost, aside } = await salvage(connection.path, reindex, openAt).finally(() => {
    connection.reopen();
    renew();
  });
  const message = `The library was made anew from the ${documents} documents that were whole; the damaged file is ${aside}.`;
  return [
    { area: 'file', message, fixed: true },
    ...lost.map((problem) => ({ area: 'record', message: `${problem}; add it again`, fixed: true })),
  ];
}
