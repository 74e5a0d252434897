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
  const table = message(
    varint(1, rows),
    varint(1, dimensions),
    varint(2, FLOAT),
    text(8, 'table'),
    bytes(9, new Uint8Array(weights.buffer)),
  );
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
