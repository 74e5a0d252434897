import { readFileSync } from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';
import type { InferenceSession, Tensor } from 'onnxruntime-common';
import { StrataError } from '../../model/errors.js';
import type { OnnxModel } from '../models/model-folder.js';
import { firstUnits } from './clean.js';
import { badValue, pool, unit } from './pooling.js';

/** A token is rarely longer: what lies beyond cannot reach the model, and tokenizing a megabyte takes seconds. */
const UNITS_PER_TOKEN = 16;

/** Chunks are far shorter; a whole file as one text is known by its beginning. */
const MOST_WINDOWS = 4;

/** Of what a cross-encoder reads, a question has at most this part. */
const QUESTION_SHARE = 4;

export type Runtime = typeof import('onnxruntime-common');

/**
 * One loaded model. It runs one text at a time, on purpose: int8 exports quantise activations by the whole tensor's
 * range, so a text's vector would depend on its neighbours in a batch (cosine .97–.995 to its own), and on a CPU a
 * batch of one is as fast as any (docs/decisions/embedding.md). No padding, no waste, the same vector always.
 */
export class OnnxSession {
  readonly #runtime: Runtime;
  readonly #session: InferenceSession;
  readonly #tokenizer: Tokenizer;
  readonly #model: OnnxModel;
  /** Special tokens around a text (`[CLS]`, `[SEP]`), which every part of a long one gets. */
  readonly #opening: readonly number[];
  readonly #closing: readonly number[];

  private constructor(runtime: Runtime, session: InferenceSession, tokenizer: Tokenizer, model: OnnxModel) {
    this.#runtime = runtime;
    this.#session = session;
    this.#tokenizer = tokenizer;
    this.#model = model;
    const around = tokenizer.encode('').ids;
    this.#opening = around.slice(0, 1);
    this.#closing = around.slice(1);
  }

  static async load(runtime: Runtime, model: OnnxModel): Promise<OnnxSession> {
    const tokenizer = new Tokenizer(
      JSON.parse(readFileSync(model.tokenizer, 'utf8')),
      model.tokenizer_config,
    );
    const session = await runtime.InferenceSession.create(model.onnx, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      graphOptimizationLevel: 'all',
      // Every text has its own length: a pattern remembered for each would only fill memory.
      enableMemPattern: false,
      logSeverityLevel: 3,
    });
    const unknown = session.inputNames.filter((name) => !INPUTS.has(name));
    if (unknown.length > 0) {
      throw new StrataError(
        'MODEL_INVALID',
        `The model ${model.name} wants ${unknown.join(', ')}; only text encoders (${[...INPUTS].join(', ')}) can be used.`,
      );
    }
    return new OnnxSession(runtime, session, tokenizer, model);
  }

  /**
   * The unit vector of a text that already has its prefix. What is longer than the model reads at once is read in equal
   * parts, and their vectors point together: a passage's end counts as much as its beginning.
   */
  async embed(text: string): Promise<Float32Array> {
    const [first, ...others] = this.#windows(text);
    const vector = await this.#embedTokens(first!);
    if (others.length === 0) return vector;
    for (const ids of others) {
      const part = await this.#embedTokens(ids);
      for (let d = 0; d < vector.length; d++) vector[d] = vector[d]! + part[d]!;
    }
    return unit(vector);
  }

  async #embedTokens(ids: readonly number[]): Promise<Float32Array> {
    const outputs = await this.#session.run(this.#feeds(ids));
    const name = ['sentence_embedding', 'last_hidden_state'].find((known) => known in outputs);
    const output = outputs[name ?? this.#session.outputNames[0]!]!;
    const vector = this.#vectorOf(output, ids.length);
    const bad = badValue(vector);
    if (bad !== null)
      throw new StrataError('EMBEDDER_FAILED', `The model ${this.#model.name} gave no vector: ${bad}.`);
    return unit(vector);
  }

  /**
   * How well a passage answers a question, by a cross-encoder, which reads both at once: one number. What is too long is cut
   * at the passage's end.
   */
  async score(question: string, passage: string): Promise<Float32Array> {
    const { lower_case, max_tokens } = this.#model;
    const read = (text: string, tokens: number): string => {
      const head = firstUnits(text, tokens * UNITS_PER_TOKEN);
      return lower_case ? head.toLowerCase() : head;
    };
    const encoded = this.#tokenizer.encode(read(question, max_tokens / QUESTION_SHARE), {
      text_pair: read(passage, max_tokens),
      return_token_type_ids: true,
    });
    const end = encoded.ids.length - this.#closing.length;
    const room = Math.min(end, max_tokens - this.#closing.length);
    const cut = (list: readonly number[]): number[] => [...list.slice(0, room), ...list.slice(end)];
    const outputs = await this.#session.run(this.#feeds(cut(encoded.ids), cut(encoded.token_type_ids)));
    const { data, dims } = outputs['logits' in outputs ? 'logits' : this.#session.outputNames[0]!]!;
    if (!(data instanceof Float32Array) || dims.length > 2 || data.length < 1 || data.length > 2) {
      throw new StrataError(
        'MODEL_INVALID',
        `The model ${this.#model.name} is no cross-encoder: it gives ${dims.join(' × ')} numbers for a question and a passage, not one score.`,
      );
    }
    // Of two classes, the second is "it answers".
    const score = data.length === 1 ? data[0]! : data[1]! - data[0]!;
    if (!Number.isFinite(score))
      throw new StrataError('EMBEDDER_FAILED', `The model ${this.#model.name} gave no score: ${score}.`);
    return Float32Array.of(score);
  }

  async release(): Promise<void> {
    await this.#session.release();
  }

  #windows(text: string): readonly (readonly number[])[] {
    const { lower_case, max_tokens } = this.#model;
    const head = firstUnits(text, MOST_WINDOWS * max_tokens * UNITS_PER_TOKEN);
    const { ids } = this.#tokenizer.encode(lower_case ? head.toLowerCase() : head);
    if (ids.length <= max_tokens) return [ids.length > 0 ? ids : [0]];
    const [opening, closing] = [this.#opening, this.#closing];
    const body = ids.slice(opening.length, ids.length - closing.length);
    const room = max_tokens - opening.length - closing.length;
    const count = Math.min(MOST_WINDOWS, Math.ceil(body.length / room));
    const size = Math.min(room, Math.ceil(body.length / count));
    return Array.from({ length: count }, (_, n) => [
      ...opening,
      ...body.slice(n * size, (n + 1) * size),
      ...closing,
    ]);
  }

  #feeds(ids: readonly number[], types?: readonly number[]): Record<string, Tensor> {
    const tensor = (value: (id: number, at: number) => number): Tensor =>
      new this.#runtime.Tensor(
        'int64',
        BigInt64Array.from(ids, (id, at) => BigInt(value(id, at))),
        [1, ids.length],
      );
    const all: Record<string, () => Tensor> = {
      input_ids: () => tensor((id) => id),
      attention_mask: () => tensor(() => 1),
      token_type_ids: () => tensor((_, at) => types?.[at] ?? 0),
      position_ids: () => tensor((_, at) => at),
    };
    return Object.fromEntries(this.#session.inputNames.map((name) => [name, all[name]!()]));
  }

  #vectorOf(output: Tensor, tokens: number): Float32Array {
    const { dims, data } = output;
    if (!(data instanceof Float32Array)) {
      throw new StrataError(
        'MODEL_INVALID',
        `The model ${this.#model.name} answers in ${output.type}, not float32.`,
      );
    }
    const dimensions = dims.at(-1)!;
    return dims.length === 2
      ? data.slice(0, dimensions)
      : pool(data, tokens, dimensions, this.#model.pooling);
  }
}

const INPUTS: ReadonlySet<string> = new Set([
  'input_ids',
  'attention_mask',
  'token_type_ids',
  'position_ids',
]);
