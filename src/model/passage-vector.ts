/** What an embedder makes of a passage, and a store keeps of it. */
export interface PassageVector {
  readonly vector: Float32Array;
  /** The vectors of its parts, where it was read in parts: a question is compared with each. */
  readonly parts?: readonly Float32Array[];
}
