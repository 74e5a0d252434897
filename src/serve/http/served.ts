import type * as z from 'zod';
import type { Library } from '../../engine/library.js';
import type { OnProgress } from '../../model/progress.js';
import { nextTurn } from '../../model/turns.js';
import { libraryFor } from '../../tools/access/granted-library.js';
import { type AccessLevel, limitedTo, type Principal } from '../../tools/access/principal.js';
import { type Fields, type InputOf, readInput } from '../fields.js';
import { confine } from '../mcp/roots.js';
import { changesLibrary, noted } from '../noted.js';
import type { Context, Operation } from '../operation.js';
import { operations } from '../operations.js';
import type { Schemas } from '../schemas.js';

import type { ServeOptions } from './serve-http.js';
import { views } from './views/views.js';

/** What `POST /api/v1/<name>` does: an operation of the table, or a view that only a page needs. JSON in, JSON out. */
export interface Served {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly access: AccessLevel;
  /** Owners of the library may call it, not only whoever runs the program. */
  readonly overHttp?: boolean;
  readonly input: Fields;
  readonly output: (schemas: Schemas) => z.ZodType;
  run(given: Readonly<Record<string, unknown>>, caller: Caller): Promise<unknown>;
}

export interface Caller {
  readonly principal: Principal;
  /** The network address. */
  readonly address: string;
  readonly signal: AbortSignal;
  readonly progress: OnProgress;
}

/** A view for the page: what no operation gives. Described as operations are, so that the API's document has it too. */
export interface View<F extends Fields> {
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: AccessLevel;
  /** See `Operation`. */
  readonly ofTables?: boolean;
  readonly overHttp?: boolean;
  readonly changes?: boolean;
  readonly subject?: (input: InputOf<F>) => string;
  readonly input: F;
  readonly output: (schemas: Schemas) => z.ZodType;
  handler(library: Library, input: InputOf<F>, context: ViewContext): Promise<unknown>;
}

export interface ViewContext extends Context {
  /** Folders that callers may add files from. */
  readonly roots: readonly string[];
  readonly embedBehind: (library: Library) => void;
}

/**
 * What works on the server's one library. Operations that need none or open one of their own read and write wherever a path
 * says: they stay at the command line.
 */
const isServed = ({ library, access, overHttp }: Operation): boolean =>
  library !== 'none' && library !== 'own' && (access !== 'owner' || overHttp === true);

export function servedOperations(options: ServeOptions): Map<string, Served> {
  const all = [
    ...operations.filter(isServed).map((operation) => asView(operation)),
    ...(views as readonly View<Fields>[]),
  ];
  return new Map(all.map((view) => [view.name, served(view, options)]));
}

function asView(operation: Operation): View<Fields> {
  const { name, summary, description, access, overHttp = false, ofTables = false, input, output } = operation;
  return {
    ...{ name, summary, description, access, overHttp, ofTables, input, output },
    ...(operation.changes !== undefined && { changes: operation.changes }),
    ...(operation.subject !== undefined && { subject: operation.subject }),
    async handler(library, given, context) {
      if (name !== 'add') return operation.handler(library, given, context);
      // Paths come from the caller: whoever does not own this machine may name only what lies below the agreed folders.
      const { roots, cwd, principal } = context;
      if (principal.kind === 'local') return operation.handler(library, given, context);
      const { paths, within } = await confine(given.paths as readonly string[], library, { roots, cwd });
      const { embed: _, yes: _yes, workers: _workers, allow_hosts: _hosts, ...rest } = given;
      const { signal, progress } = context;
      const report = await library.add(paths, {
        ...rest,
        within,
        cwd,
        signal,
        onProgress: progress,
        embed: false,
      });
      context.embedBehind(library);
      return report;
    },
  };
}

function served(view: View<Fields>, options: ServeOptions): Served {
  return {
    ...view,
    description: view.description ?? view.summary,
    async run(given, { principal: caller, address, signal, progress }) {
      // A server that only reads still lets owners look at users and keys.
      const principal = view.changes === false ? caller : limitedTo(caller, options.access);
      const library: Library = await options.library();
      const work = async (): Promise<unknown> => {
        const granted = libraryFor(principal, library, view);
        const input = readInput(view.input, given);
        // One operation per turn: whoever else waits (a health check) is answered between two of them, not after all.
        await nextTurn();
        return view.handler(granted, input, {
          principal,
          signal,
          // The page of `strata open` is its user's own: no file of theirs is anybody else's.
          remote: principal.kind !== 'local',
          progress,
          notice: options.log,
          cwd: library.root,
          library: options.libraryOptions,
          roots: options.roots(library, principal),
          embedBehind: options.embedBehind,
        });
      };
      if (options.audit === undefined || (principal.kind === 'local' && !changesLibrary(view))) return work();
      return noted(
        await options.audit(),
        { principal, via: 'http', operation: view, input: given, address },
        work,
      );
    },
  };
}
