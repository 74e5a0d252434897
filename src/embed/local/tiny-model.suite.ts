import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

// A sentence-embedding model of a few hundred bytes, for tests that must run the real runtime without real weights:
// every word has a random but fixed vector (one Gather), a text is their mean. Written as ONNX's protobuf by hand.

export interface TinyModel {
  readonly name?: string;
  readonly dimensions?: number;
  readonly seed?: number;
  readonly words?: readonly string[];
  /** Further files of the folder, by path. */
  readonly files?: Readonly<Record<string, unknown>>;
  /** This word's vector is not a number. */
  readonly poison?: string;
}

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
const WORDS = 'the a of query passage : . , alpha beta gamma delta nginx cors docker 部 署 中 文 问 答'.split(
  ' ',
);

export function writeTinyModel(folder: string, model: TinyModel = {}): string {
  const { dimensions = 8, seed = 1, words = WORDS, name = 'tiny', files = {}, poison } = model;
  const vocabulary = [...SPECIAL, ...words];
  const random = mulberry(seed);
  const weights = Float32Array.from({ length: vocabulary.length * dimensions }, () => random() - 0.5);
  if (poison !== undefined) weights[vocabulary.indexOf(poison) * dimensions] = Number.NaN;
  const all: Record<string, unknown> = {
    'model.onnx': gatherModel(weights, vocabulary.length, dimensions),
    'tokenizer.json': tokenizer(vocabulary),
    'config.json': { _name_or_path: `test/${name}`, hidden_size: dimensions, max_position_embeddings: 64 },
    ...files,
  };
  for (const [path, content] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content instanceof Uint8Array ? content : JSON.stringify(content));
  }
  return folder;
}

function tokenizer(vocabulary: readonly string[]): unknown {
  return {
    version: '1.0',
    added_tokens: SPECIAL.map((content, id) => ({ id, content, special: true })),
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: { type: 'BertProcessing', sep: ['[SEP]', 3], cls: ['[CLS]', 2] },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
    },
  };
}

function gatherModel(weights: Float32Array, rows: number, dimensions: number): Uint8Array {
  const table = tableOf(weights, rows, dimensions);
  const gather = message(
    text(1, 'table'),
    text(1, 'input_ids'),
    text(2, 'last_hidden_state'),
    text(4, 'Gather'),
  );
  const graph = message(
    bytes(1, gather),
    text(2, 'tiny'),
    bytes(5, table),
    bytes(11, value('input_ids', INT64, ['batch', 'length'])),
    bytes(11, value('attention_mask', INT64, ['batch', 'length'])),
    bytes(12, value('last_hidden_state', FLOAT, ['batch', 'length', dimensions])),
  );
  return message(varint(1, 8), bytes(8, message(text(1, ''), varint(2, 13))), bytes(7, graph));
}

const tableOf = (weights: Float32Array, rows: number, dimensions: number): Uint8Array =>
  message(
    varint(1, rows),
    varint(1, dimensions),
    varint(2, FLOAT),
    text(8, 'table'),
    bytes(9, new Uint8Array(weights.buffer)),
  );

/**
 * A cross-encoder: its score is how often words of the question stand in the passage. One row of an identity per word (none
 * for special tokens); the rows of each side are added, and the two sums multiplied.
 */
export function writeTinyCrossEncoder(folder: string, words: readonly string[] = WORDS): string {
  const size = SPECIAL.length + words.length;
  const weights = new Float32Array(size * size);
  for (let word = SPECIAL.length; word < size; word++) weights[word * size + word] = 1;
  const node = (operator: string, inputs: readonly string[], output: string, to?: number): Uint8Array =>
    message(
      ...inputs.map((name) => text(1, name)),
      text(2, output),
      text(4, operator),
      ...(to === undefined ? [] : [bytes(5, message(text(1, 'to'), varint(3, to), varint(20, 2)))]),
    );
  const list = (name: string, value: number, type: number): Uint8Array => {
    const data = type === INT64 ? BigInt64Array.of(BigInt(value)) : Float32Array.of(value);
    return message(varint(1, 1), varint(2, type), text(8, name), bytes(9, new Uint8Array(data.buffer)));
  };
  const graph = message(
    ...[
      node('Gather', ['table', 'input_ids'], 'rows'),
      node('Cast', ['token_type_ids'], 'types', FLOAT),
      node('Unsqueeze', ['types', 'last'], 'second'),
      node('Sub', ['one', 'second'], 'first'),
      node('Mul', ['rows', 'first'], 'first_rows'),
      node('Mul', ['rows', 'second'], 'second_rows'),
      node('ReduceSum', ['first_rows', 'length'], 'question'),
      node('ReduceSum', ['second_rows', 'length'], 'passage'),
      node('Mul', ['question', 'passage'], 'shared'),
      node('ReduceSum', ['shared', 'last'], 'sum'),
      node('Flatten', ['sum'], 'logits'),
    ].map((one) => bytes(1, one)),
    text(2, 'tiny'),
    bytes(5, tableOf(weights, size, size)),
    bytes(5, list('one', 1, FLOAT)),
    bytes(5, list('length', 1, INT64)),
    bytes(5, list('last', 2, INT64)),
    bytes(11, value('input_ids', INT64, ['batch', 'length'])),
    bytes(11, value('token_type_ids', INT64, ['batch', 'length'])),
    bytes(12, value('logits', FLOAT, ['batch', 1])),
  );
  const model = message(varint(1, 8), bytes(8, message(text(1, ''), varint(2, 13))), bytes(7, graph));
  return writeTinyModel(folder, { name: 'tiny-reranker', words, files: { 'model.onnx': model } });
}

const FLOAT = 1;
const INT64 = 7;

function value(name: string, type: number, shape: readonly (string | number)[]): Uint8Array {
  const dims = shape.map((size) =>
    bytes(1, typeof size === 'number' ? message(varint(1, size)) : message(text(2, size))),
  );
  return message(
    text(1, name),
    bytes(2, message(bytes(1, message(varint(1, type), bytes(2, message(...dims)))))),
  );
}

const message = (...fields: readonly Uint8Array[]): Uint8Array => Buffer.concat(fields);
const varint = (field: number, number: number): Uint8Array =>
  Uint8Array.from([...base128(field << 3), ...base128(number)]);
const text = (field: number, string: string): Uint8Array => bytes(field, Buffer.from(string));
const bytes = (field: number, content: Uint8Array): Uint8Array =>
  Buffer.concat([Uint8Array.from([...base128((field << 3) | 2), ...base128(content.length)]), content]);

function base128(number: number): number[] {
  return number < 128 ? [number] : [(number & 127) | 128, ...base128(number >>> 7)];
}

function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
