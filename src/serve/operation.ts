import type * as z from 'zod';
import type { Library, LibraryOptions } from '../engine/library.js';
import type { OnProgress } from '../model/progress.js';
import type { AccessLevel, Principal } from '../tools/access/principal.js';
import type { Fields, InputOf } from './fields.js';
import type { AgentTool } from './mcp/agent-tool.js';
import type { Schemas } from './schemas.js';

export interface Context {
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly progress: OnProgress;
  /** Said once to the person who waits: "waiting for another writer". */
  readonly notice: (line: string) => void;
  /** The caller is another program, perhaps on another machine: files of this one are not for it to name. */
  readonly remote?: boolean;
  /** Relative paths in the input start here. */
  readonly cwd: string;
  /** A person or an agent reads the answer as text, not as JSON. */
  readonly isText?: boolean;
  /** Which library the caller meant, for operations that open one (or several) themselves. */
  readonly library: LibraryOptions;
}

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

/** `A` is the answer's own type (the engine's): it must fit the schema `S`, and the renderer gets it as it is. */
interface Described<F extends Fields, S extends z.ZodType, A extends Frozen<z.infer<S>>> {
  /** The command, `strata search`, and the route, `/api/search`; `table-put` is the command `strata table put`. */
  readonly name: string;
  /** One line, for lists of commands. */
  readonly summary: string;
  /** When to use it and what comes back, for `--help` and the reference. */
  readonly description: string;
  /**
   * What a caller needs in the library as a whole; `none` where the handler asks `may` (tools/access/permission.ts) about
   * the table, tool or endpoint that it works on.
   */
  readonly access: AccessLevel;
  /** Whoever has no role but grants for tables may ask it of the strings of these tables (tools/access/granted-library.ts). */
  readonly ofTables?: boolean;
  /** An owner's operation that owners may call over HTTP, too: it touches nothing but the library. */
  readonly overHttp?: boolean;
  /** Whether it changes anything, where `access` does not say so: reading needs `read`, or `none`. */
  readonly changes?: boolean;
  /** What the audit log names: the table, user or document that it was done to. */
  readonly subject?: (input: InputOf<F>) => string;
  readonly input: F;
  /**
   * What `--json` prints and HTTP answers; fields are added to, never renamed. A function of zod, which only servers and
   * the reference load: a command must not wait for it.
   */
  readonly output: (schemas: Schemas) => S;
  readonly examples: readonly Example[];
  /** What a person sees instead of JSON. What is long comes in pieces. */
  readonly render: (answer: A, view: View, input: InputOf<F>) => Shown | Promise<Shown>;
  /** What it prints is no answer in our words but a text that must stay as it is, on a terminal, too. */
  readonly isRaw?: (input: InputOf<F>) => boolean;
  /** What failed though the operation went on: one line each on stderr, and exit code 1. */
  readonly problems?: (answer: A) => readonly string[];
  /** Where `--json` prints something other than the answer itself; see `jsonPieces` for what it may hold. */
  readonly toJson?: (answer: A, input: InputOf<F>, view: View) => unknown | Promise<unknown>;
  /** Other ways to print the answer, by what `--format` calls them; `text` and `json` need no entry. */
  readonly formats?: Readonly<Record<string, Format<A>>>;
  /** It has `--full`: nothing is left out or shortened. */
  readonly hasFull?: boolean;
  /** Its face to agents, where it has one. */
  readonly tool?: AgentTool;
}

/** `existing`: there must be a library. `create`: it is made where there is none. */
interface LibraryOperation<F extends Fields, S extends z.ZodType, A extends Frozen<z.infer<S>>>
  extends Described<F, S, A> {
  readonly library: 'existing' | 'create';
  handler(library: Library, input: InputOf<F>, context: Context): Promise<A>;
}

/** `none`: needs no library (`parse`). `own`: opens its own, as the flags say (`eval`). */
interface FreeOperation<F extends Fields, S extends z.ZodType, A extends Frozen<z.infer<S>>>
  extends Described<F, S, A> {
  readonly library: 'none' | 'own';
  handler(library: null, input: InputOf<F>, context: Context): Promise<A>;
}

type Input = Readonly<Record<string, unknown>>;

/** An operation of the table, its own input and output types forgotten. */
export interface Operation
  extends Pick<
    Described<Fields, z.ZodType, unknown>,
    | 'name'
    | 'summary'
    | 'description'
    | 'access'
    | 'ofTables'
    | 'overHttp'
    | 'changes'
    | 'input'
    | 'output'
    | 'examples'
    | 'hasFull'
    | 'tool'
  > {
  readonly library: 'none' | 'own' | 'existing' | 'create';
  subject?(input: Input): string;
  handler(library: Library | null, input: Input, context: Context): Promise<unknown>;
  render(answer: unknown, view: View, input: Input): Shown | Promise<Shown>;
  isRaw?(input: Input): boolean;
  problems?(answer: unknown): readonly string[];
  toJson?(answer: unknown, input: Input, view: View): unknown;
  readonly formats?: Readonly<Record<string, Format<unknown>>>;
}

export type Shown = string | Iterable<string>;

type Format<A> = (answer: A, view: View) => Shown | Promise<Shown>;

/** How to write for this person's terminal. */
export interface View {
  readonly colour: boolean;
  /** Columns; Infinity when the output is no terminal. */
  readonly width: number;
  readonly quiet: boolean;
  /** `--full` */
  readonly full?: boolean;
  /** The terminal shows links (OSC 8). */
  readonly links?: boolean;
  readonly cwd: string;
  /** The folder that holds the library: paths in answers start there. */
  readonly root?: string | undefined;
}

/** What it is called on the command line. */
export const commandName = ({ name }: Pick<Operation, 'name'>): string => name.replace('-', ' ');

export function operation<F extends Fields, S extends z.ZodType, A extends Frozen<z.infer<S>>>(
  definition: LibraryOperation<F, S, A> | FreeOperation<F, S, A>,
): Operation {
  // The table mixes operations; `readInput` has checked what a handler gets, so its own types hold again inside.
  return definition as unknown as Operation;
}
