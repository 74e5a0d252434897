import { StrataError } from '../model/errors.js';

export const STRATEGIES = ['hierarchical', 'h2', 'content'] as const;
export type StrategyName = (typeof STRATEGIES)[number];

export interface ChunkSettings {
  readonly strategy: StrategyName;
  /** What a part of a long section should have. In `content`, sections with less join the next. */
  readonly min: number;
  /** What no chunk exceeds (a single grapheme aside). `Infinity`: no maximum. */
  readonly max: number;
  /** The part of a chunk that repeats the end of the one before it, where a section had to be split. */
  readonly overlap: number;
}

export interface ChunkOptions {
  readonly strategy?: string;
  readonly min?: number;
  readonly max?: number;
  readonly overlap?: number;
}

/** Seed 004: Chinese 400–1200, overlap 10–20 %. Seed 002: 100, 1500, 0.2. Seed 000: from one H2 to the next. */
const DEFAULTS: Readonly<Record<StrategyName, ChunkSettings>> = {
  hierarchical: { strategy: 'hierarchical', min: 400, max: 1200, overlap: 0.15 },
  h2: { strategy: 'h2', min: 0, max: Infinity, overlap: 0 },
  content: { strategy: 'content', min: 100, max: 1500, overlap: 0.2 },
};

export function chunkSettings(options: ChunkOptions = {}): ChunkSettings {
  const strategy = strategyNamed(options.strategy ?? 'hierarchical');
  const defaults = DEFAULTS[strategy];
  const max = options.max ?? Math.max(defaults.max, options.min === undefined ? 0 : options.min * 2);
  const min = options.min ?? Math.min(defaults.min, Math.floor(max / 2));
  const overlap = options.overlap ?? defaults.overlap;
  if (max !== Infinity || options.max !== undefined) whole('max', max, 1);
  whole('min', min, 0);
  if (min > max) refuse('min', min, `at most max (${max})`);
  if (!(overlap >= 0 && overlap <= MOST_OVERLAP)) refuse('overlap', overlap, `between 0 and ${MOST_OVERLAP}`);
  return { ...defaults, min, max, overlap };
}

/** Beyond a half, a window would not move on by more than it repeats. */
const MOST_OVERLAP = 0.5;

function strategyNamed(name: string): StrategyName {
  const found = STRATEGIES.find((strategy) => strategy === name);
  return found ?? refuse('strategy', name, `one of ${STRATEGIES.join(', ')}`);
}

function whole(option: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least) refuse(option, value, `a whole number of at least ${least}`);
}

function refuse(option: string, value: unknown, wanted: string): never {
  throw new StrataError('INVALID_ARGUMENT', `${option} is ${String(value)}: it must be ${wanted}`);
}
