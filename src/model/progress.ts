/** How far long work has come. Reported as often as something changes; whoever shows it decides how often to draw. */
export interface Progress {
  /** What is being done: `Reading files`, `Embedding`, … */
  readonly stage: string;
  readonly done: number;
  /** Absent while it is not known yet. */
  readonly total?: number;
  /** The file or thing at hand. */
  readonly item?: string;
}

export type OnProgress = (progress: Progress) => void;
