/**
 * What reading a picture needs of a neural network: one tensor in, one out. Who runs it is decided elsewhere (the engine
 * hands in ONNX Runtime), so that this folder needs no runtime and tests need no weights.
 */
export interface Network {
  run(data: Float32Array, dims: readonly number[]): Promise<NetworkOutput>;
}

export interface NetworkOutput {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

export interface OcrNetworks {
  /** Finds text: a picture to the probability, pixel by pixel, that it belongs to a line of text. */
  readonly detect: Network;
  /** Says of a line whether it stands upright or on its head. */
  readonly turn: Network;
  /** Reads a line: for each step along it, the probability of each character. */
  readonly recognise: Network;
  /** The characters that `recognise` knows, in its order; the first stands for none. */
  readonly alphabet: readonly string[];
}
