import { StrataError } from '../../model/errors.js';
import type { Embedder, EmbedRole } from '../embedder.js';
import { cleanForModel, firstUnits } from '../local/clean.js';
import { knownPrefixes } from '../local/prefixes.js';
import type { EmbedderSpec } from '../spec.js';
import { askService, PATIENCE, type RemotePatience } from './ask-service.js';
import { checkedVectors, inBatches } from './remote-batches.js';

const DEFAULT_URL = 'https://api.openai.com/v1';
/** OpenAI takes 2,048 texts and 300,000 tokens a request; a Chinese character may be more than one token. */
const LIMITS = { count: 96, units: 100_000 };
/** 8,191 tokens a text there: whatever is beyond would get the whole text refused. */
const MOST_UNITS = 6_000;
/** Asking costs a request, so what is known is not asked. */
const DIMENSIONS: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 1536,
  'text-embedding-3-large': 3072,
  'text-embedding-ada-002': 1536,
};

export interface OpenaiOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  readonly patience?: RemotePatience;
  /** The address is the user's own choice. */
  readonly is_named?: boolean;
  log?(line: string): void;
}

/** Any server that speaks OpenAI's embeddings protocol. */
export async function openaiEmbedder(spec: EmbedderSpec, options: OpenaiOptions = {}): Promise<Embedder> {
  const env = options.env ?? process.env;
  const base = (spec.url ?? (env.OPENAI_BASE_URL || DEFAULT_URL)).replace(/\/+$/, '');
  const model = spec.model ?? 'text-embedding-3-small';
  // A key goes to its own service, and to an address that the user has set; never where somebody's library says.
  const isOwn = base === DEFAULT_URL || base === env.OPENAI_BASE_URL?.replace(/\/+$/, '');
  const key = isOwn || options.is_named ? env.OPENAI_API_KEY : undefined;
  const host = hostOf(base);
  const service = `openai (${host})`;
  if (!key && base === DEFAULT_URL) {
    throw new StrataError(
      'EMBEDDER_UNAVAILABLE',
      'The openai embedder needs a key: set OPENAI_API_KEY (or OPENAI_BASE_URL for a server of your own).',
    );
  }
  options.log?.(`Texts and queries are sent to ${host} to be embedded.`);
  const prefixes = knownPrefixes(model);
  const patience = options.patience ?? PATIENCE;

  const ask = async (batch: readonly string[], dimensions: number | null, signal?: AbortSignal) => {
    const answer = await askService(
      {
        service,
        url: `${base}/embeddings`,
        headers: key ? { authorization: `Bearer ${key}` } : {},
        ...(key ? { secret: key } : {}),
        body: {
          model,
          input: batch,
          encoding_format: 'float',
          ...(spec.dimensions === undefined ? {} : { dimensions: spec.dimensions }),
        },
        ...(signal ? { signal } : {}),
      },
      patience,
    );
    return checkedVectors(service, inOrder(service, answer), batch.length, dimensions);
  };

  const known = spec.dimensions ?? DIMENSIONS[model];
  const dimensions = known ?? (await ask(['strata'], null, options.signal))[0]!.length;
  return {
    id: `openai:${model}`,
    dimensions,
    fingerprint: `openai:${model}:${dimensions}`,
    embed: (texts, role: EmbedRole, signal) =>
      inBatches(
        texts.map((text) => prefixes[role] + shortened(cleanForModel(text))),
        LIMITS,
        (batch) => ask(batch, dimensions, signal),
      ),
    close: async () => {},
  };
}

/** An empty text is refused by the service; a space is not. */
const shortened = (text: string): string => firstUnits(text, MOST_UNITS) || ' ';

/** The vectors by their own `index`: servers need not keep the order. Floats, or base64 of little-endian floats. */
function inOrder(service: string, answer: unknown): ArrayLike<number>[] {
  const data = (answer as { data?: unknown })?.data;
  const fail = (problem: string): StrataError =>
    new StrataError(
      'EMBEDDER_FAILED',
      `${service} gave a wrong answer: ${problem}. Nothing of it was stored.`,
    );
  if (!Array.isArray(data)) throw fail('it has no data');
  const vectors: ArrayLike<number>[] = new Array(data.length);
  for (const [at, item] of (data as { index?: unknown; embedding?: unknown }[]).entries()) {
    const index = item?.index ?? at;
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= data.length) {
      throw fail(`it has the index ${String(index)} among ${data.length} vectors`);
    }
    if (vectors[index as number] !== undefined) throw fail(`it has the index ${String(index)} twice`);
    vectors[index as number] = decoded(item?.embedding) ?? [];
  }
  return vectors;
}

function decoded(embedding: unknown): ArrayLike<number> | null {
  if (Array.isArray(embedding))
    return embedding.map((value) => (typeof value === 'number' ? value : Number.NaN));
  if (typeof embedding !== 'string') return null;
  const bytes = Buffer.from(embedding, 'base64');
  if (bytes.length % 4 !== 0) return null;
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}

function hostOf(base: string): string {
  try {
    return new URL(base).host;
  } catch {
    throw new StrataError(
      'EMBEDDER_UNAVAILABLE',
      'The URL of the openai embedder cannot be read: it must start with http(s)://.',
    );
  }
}
