import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { reasonOf, StrataError } from '../../model/errors.js';
import { knownPrefixes } from '../local/prefixes.js';

export type Pooling = 'cls' | 'mean' | 'max' | 'last';

/** All that must be known to turn a text into one vector with one ONNX model. It travels to the workers as it is. */
export interface OnnxModel {
  readonly name: string;
  readonly onnx: string;
  readonly tokenizer: string;
  readonly tokenizer_config: Readonly<Record<string, unknown>>;
  readonly pooling: Pooling;
  readonly lower_case: boolean;
  readonly max_tokens: number;
  readonly query_prefix: string;
  readonly passage_prefix: string;
}

/** Where exports put the graph, the smaller form first: on a CPU int8 is several times faster and as good. */
const GRAPHS = [
  'onnx/model_quantized.onnx',
  'onnx/model_int8.onnx',
  'onnx/model.onnx',
  'model_quantized.onnx',
  'model_int8.onnx',
  'model.onnx',
];
/** Attention costs the square of the length: beyond 512 tokens a CPU is too slow, whatever the model allows. */
const MOST_TOKENS = 512;

/**
 * Read a sentence-embedding folder as the hubs publish them (sentence-transformers' or transformers' files with an
 * ONNX export). What a folder does not say falls back to what most such models do: mean pooling, 512 tokens.
 */
export function readModelFolder(folder: string): OnnxModel {
  const root = resolve(folder);
  const onnx = GRAPHS.map((name) => join(root, name)).find(existsSync) ?? onlyGraph(root);
  if (onnx === undefined) throw invalid(root, 'it has no model.onnx (looked in it and in its onnx/)');
  const tokenizer = join(root, 'tokenizer.json');
  if (!existsSync(tokenizer)) throw invalid(root, 'it has no tokenizer.json');
  const config = readJson(root, 'config.json');
  const tokenizerConfig = readJson(root, 'tokenizer_config.json');
  const sentence = readJson(root, 'sentence_bert_config.json');
  const prompts = asObject(readJson(root, 'config_sentence_transformers.json').prompts);
  const name = nameOf(config, root);
  const known = knownPrefixes(name);
  return {
    name,
    onnx,
    tokenizer,
    tokenizer_config: tokenizerConfig,
    pooling: poolingOf(readJson(root, '1_Pooling/config.json'), name),
    lower_case: sentence.do_lower_case === true,
    max_tokens: maxTokens(
      sentence.max_seq_length,
      tokenizerConfig.model_max_length,
      config.max_position_embeddings,
    ),
    query_prefix: asText(prompts.query) ?? known.query,
    passage_prefix: asText(prompts.passage) ?? asText(prompts.document) ?? known.passage,
  };
}

function onlyGraph(root: string): string | undefined {
  for (const folder of [root, join(root, 'onnx')]) {
    const graphs = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.onnx')) : [];
    if (graphs.length === 1) return join(folder, graphs[0]!);
  }
  return undefined;
}

/** The publisher's name if the export kept it: it tells e5 from bge where the folder was called `model`. */
function nameOf(config: Readonly<Record<string, unknown>>, root: string): string {
  const given = asText(config._name_or_path);
  return given !== undefined && /^[\w.-]+\/[\w.-]+$/.test(given) ? basename(given) : basename(root);
}

function poolingOf(config: Readonly<Record<string, unknown>>, name: string): Pooling {
  if (config.pooling_mode_cls_token === true) return 'cls';
  if (config.pooling_mode_max_tokens === true) return 'max';
  if (config.pooling_mode_lasttoken === true) return 'last';
  if (config.pooling_mode_mean_tokens === true) return 'mean';
  return /(^|[-_/])(bge|gte-.*-v1\.5|snowflake-arctic|mxbai)/i.test(name) ? 'cls' : 'mean';
}

function maxTokens(...limits: readonly unknown[]): number {
  const given = limits.filter((limit): limit is number => typeof limit === 'number' && limit >= 8);
  return Math.min(given[0] ?? MOST_TOKENS, ...given, MOST_TOKENS);
}

function readJson(root: string, name: string): Readonly<Record<string, unknown>> {
  const path = join(root, name);
  if (!existsSync(path)) return {};
  try {
    return asObject(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw invalid(root, `${name} cannot be read (${reasonOf(error)})`);
  }
}

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const invalid = (root: string, problem: string): StrataError =>
  new StrataError('MODEL_INVALID', `The model folder ${root} cannot be used: ${problem}.`);
