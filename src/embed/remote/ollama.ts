import { StrataError } from '../../model/errors.js';
import type { Embedder, EmbedRole } from '../embedder.js';
import { cleanForModel } from '../local/clean.js';
import { knownPrefixes } from '../local/prefixes.js';
import type { EmbedderSpec } from '../spec.js';
import { askService, PATIENCE, type RemotePatience } from './ask-service.js';
import { checkedVectors, inBatches } from './remote-batches.js';

const DEFAULT_HOST = '127.0.0.1:11434';
/** Small batches: Ollama answers when all is done, and a long silence looks like a hang. */
const LIMITS = { count: 32, units: 40_000 };

export interface OllamaOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  readonly patience?: RemotePatience;
  log?(line: string): void;
}

export async function ollamaEmbedder(spec: EmbedderSpec, options: OllamaOptions = {}): Promise<Embedder> {
  const env = options.env ?? process.env;
  const base = ollamaUrl(spec.url ?? (env.OLLAMA_HOST || DEFAULT_HOST));
  const model = spec.model ?? 'nomic-embed-text';
  const host = new URL(base).host;
  const service = `ollama (${host})`;
  const patience = options.patience ?? PATIENCE;
  const signalled = (signal: AbortSignal | undefined) => (signal ? { signal } : {});
  if (!isThisMachine(new URL(base).hostname))
    options.log?.(`Texts and queries are sent to ${host} to be embedded.`);

  const tags = await askService(
    { service, url: `${base}/api/tags`, headers: {}, ...signalled(options.signal) },
    // At opening nobody wants to wait for a server that is not running.
    { ...patience, attempts: Math.min(2, patience.attempts) },
  );
  const digest = digestOf(tags, model);
  if (digest === null) {
    throw new StrataError(
      'EMBEDDER_UNAVAILABLE',
      `${service} has no model "${model}"; run ollama pull ${model}, or choose one it has.`,
    );
  }
  const prefixes = knownPrefixes(model);
  const ask = async (batch: readonly string[], dimensions: number | null, signal?: AbortSignal) => {
    const answer = await askService(
      {
        service,
        url: `${base}/api/embed`,
        headers: {},
        body: { model, input: batch, truncate: true },
        ...signalled(signal),
      },
      patience,
    );
    const vectors = (answer as { embeddings?: unknown })?.embeddings;
    if (!Array.isArray(vectors) || !vectors.every((vector) => Array.isArray(vector))) {
      throw new StrataError('EMBEDDER_FAILED', `${service} gave a wrong answer: it has no embeddings.`);
    }
    return checkedVectors(service, vectors as number[][], batch.length, dimensions);
  };
  const dimensions = (await ask(['strata'], null, options.signal))[0]!.length;
  return {
    id: `ollama:${model}`,
    dimensions,
    // The digest names the weights: `latest` may be another model tomorrow.
    fingerprint: `ollama:${model}:${dimensions}:${digest.slice(0, 12)}`,
    embed: (texts, role: EmbedRole, signal) =>
      inBatches(
        texts.map((text) => prefixes[role] + (cleanForModel(text) || ' ')),
        LIMITS,
        (batch) => ask(batch, dimensions, signal),
      ),
    close: async () => {},
  };
}

/** The whole name: `localhost.example.org` and `127.example.org` are anybody's. */
export const isThisMachine = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);

/** `OLLAMA_HOST` as Ollama reads it: scheme, port and path are optional, 0.0.0.0 means here. */
export function ollamaUrl(host: string): string {
  try {
    const hasScheme = /^https?:\/\//.test(host);
    const url = new URL(hasScheme ? host : `http://${host.startsWith(':') ? `127.0.0.1${host}` : host}`);
    if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
    if (url.port === '' && !hasScheme) url.port = '11434';
    return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`;
  } catch {
    throw new StrataError(
      'EMBEDDER_UNAVAILABLE',
      `OLLAMA_HOST is "${host}": that is no host, host:port or URL.`,
    );
  }
}

function digestOf(tags: unknown, model: string): string | null {
  const models = (tags as { models?: { name?: unknown; model?: unknown; digest?: unknown }[] })?.models ?? [];
  const wanted = model.includes(':') ? model : `${model}:latest`;
  const found = Array.isArray(models)
    ? models.find((one) => one?.name === wanted || one?.model === wanted)
    : undefined;
  return found === undefined ? null : String(found.digest ?? '');
}
