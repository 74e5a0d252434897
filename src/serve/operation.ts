import type * as z from 'zod';
import type { Library, LibraryOptions } from '../engine/library.js';
import type { OnProgress } from '../model/progress.js';
import type { Fields, InputOf } from './fields.js';
import type { AccessLevel, Principal } from './http/principals.js';
import type { outputs } from './outputs.js';

export interface Context {
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly progress: OnProgress;
  /** Said once to the person who waits: "waiting for another writer". */
  readonly notice: (line: string) => void;
  /** Relative paths in the input start here. */
  readonly cwd: string;
  /** Which library the caller meant, for operations that open one (or several) themselves. */
  readonly library: LibraryOptions;
}

export type OutputName = keyof typeof outputs;
export type OutputOf<N extends OutputName> = Frozen<z.infer<(typeof outputs)[N]>>;

/** zod infers mutable types; our records are not. */
type Frozen<T> = T extends readonly (infer E)[]
  ? readonly Frozen<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

export interface Example {
  readonly command: string;
  readonly explanation: string;
}

/** `A` is the answer's own type (the engine's): it must fit the schema, and the renderer gets it as it is. */
interface Described<F extends Fields, N extends OutputName, A extends OutputOf<N>> {
  /** The command: `strata search`. */
  readonly name: string;
  /** One line, for lists of commands. */
  readonly summary: string;
  /** When to use it and what comes back: read by people in `--help` and by agents that choose a tool. */
  readonly description: string;
  readonly access: AccessLevel;
  readonly input: F;
  /** Which schema of outputs.ts the answer has. */
  readonly output: N;
  readonly examples: readonly Example[];
  /** What a person sees instead of JSON; loaded when needed. */
  readonly render: () => Promise<Renderer<A>>;
  /** What failed though the operation went on: one line each on stderr, and exit code 1. */
  readonly problems?: (answer: A) => readonly string[];
  /** Where `--json` prints something other than the answer itself; see `jsonPieces` for what it may hold. */
  readonly toJson?: (answer: A) => unknown | Promise<unknown>;
}

/** `existing`: there must be a library. `create`: it is made where there is none. */
export interface LibraryOperation<F extends Fields, N extends OutputName, A extends OutputOf<N>>
  extends Described<F, N, A> {
  readonly library: 'existing' | 'create';
  handler(library: Library, input: InputOf<F>, context: Context): Promise<A>;
}

/** `none`: needs no library (`parse`). `own`: opens its own, as the flags say (`eval`). */
export interface FreeOperation<F extends Fields, N extends OutputName, A extends OutputOf<N>>
  extends Described<F, N, A> {
  readonly library: 'none' | 'own';
  handler(library: null, input: InputOf<F>, context: Context): Promise<A>;
}

/** An operation of the table, its own input and output types forgotten. */
export interface Operation {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly access: AccessLevel;
  readonly library: 'none' | 'own' | 'existing' | 'create';
  readonly input: Fields;
  readonly output: OutputName;
  readonly examples: readonly Example[];
  handler(
    library: Library | null,
    input: Readonly<Record<string, unknown>>,
    context: Context,
  ): Promise<unknown>;
  render(): Promise<Renderer<unknown>>;
  problems?(answer: unknown): readonly string[];
  toJson?(answer: unknown): unknown;
}

/** `input` is the operation's own, checked. What is long comes in pieces. */
export type Renderer<O> = (
  answer: O,
  view: View,
  input: Readonly<Record<string, unknown>>,
) => string | Iterable<string>;

/** How to write for this person's terminal. */
export interface View {
  readonly colour: boolean;
  /** Columns; Infinity when the output is no terminal. */
  readonly width: number;
  readonly quiet: boolean;
  readonly cwd: string;
}

export function operation<F extends Fields, N extends OutputName, A extends OutputOf<N>>(
  definition: LibraryOperation<F, N, A> | FreeOperation<F, N, A>,
): Operation {
  // The table mixes operations; `readInput` has checked what a handler gets, so its own types hold again inside.
  return definition as unknown as Operation;
}
