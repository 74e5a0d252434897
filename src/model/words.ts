/**
 * A findable unit's words, as `text/` counted them for the index. A unit is a chunk, or a document by its own title
 * and summary. `title` counts words of the title path, `body` those of the content.
 */
export interface UnitWords {
  readonly terms: readonly string[];
  /** Counts, parallel to `terms`. */
  readonly body: readonly number[];
  readonly title: readonly number[];
  readonly body_length: number;
  readonly title_length: number;
}
