import { StrataError } from '../model/errors.js';

/** Which embedder, as a person writes it and as a library remembers it. It never holds a key. */
export interface EmbedderSpec {
  readonly kind: EmbedderKind;
  /** local: a model's name, a hub id or a folder; none means the default pair. openai, ollama: the model's name. */
  readonly model?: string;
  readonly url?: string;
  /** openai: ask for shorter vectors. */
  readonly dimensions?: number;
}

const KINDS = ['local', 'openai', 'ollama', 'none'] as const;
export type EmbedderKind = (typeof KINDS)[number];

const DEFAULT_MODEL = { openai: 'text-embedding-3-small', ollama: 'nomic-embed-text' } as const;

/**
 * `local`, `local:/path/to/folder`, `openai:text-embedding-3-small?dimensions=512`, `ollama:bge-m3?url=http://box:11434`,
 * `none`. Without a text, `STRATA_EMBEDDER` decides, then `local`.
 */
export function parseEmbedderSpec(text: string | undefined, env: NodeJS.ProcessEnv): EmbedderSpec {
  const given = (text ?? env.STRATA_EMBEDDER ?? '').trim() || 'local';
  const [, kind = '', rest = '', query = ''] = /^([^:?]*)(?::([^?]*))?(?:\?(.*))?$/s.exec(given) ?? [];
  if (!isKind(kind)) {
    throw wrong(given, `"${kind}" is no kind of embedder; use local, openai, ollama or none`);
  }
  const options = new URLSearchParams(query);
  const unknown = [...options.keys()].find((key) => key !== 'dimensions' && key !== 'url');
  if (unknown !== undefined)
    throw wrong(given, `there is no option "${unknown}"; there are dimensions and url`);
  if (kind === 'none') return { kind };
  const model = rest || (kind === 'local' ? '' : DEFAULT_MODEL[kind]);
  const dimensions = options.get('dimensions');
  if (dimensions !== null && !/^[1-9]\d{0,4}$/.test(dimensions))
    throw wrong(given, 'dimensions must be a number');
  if (kind === 'local' && query !== '') throw wrong(given, 'a local model has no options');
  const url = options.get('url') ?? (kind === 'openai' ? env.OPENAI_BASE_URL : env.OLLAMA_HOST);
  return {
    kind,
    ...(model ? { model } : {}),
    ...(kind !== 'local' && url ? { url } : {}),
    ...(dimensions !== null ? { dimensions: Number(dimensions) } : {}),
  };
}

/** The text that parses to this spec again. */
export function formatEmbedderSpec(spec: EmbedderSpec): string {
  const options = new URLSearchParams();
  if (spec.dimensions !== undefined) options.set('dimensions', String(spec.dimensions));
  if (spec.url !== undefined) options.set('url', withoutLogin(spec.url));
  const query = options.toString();
  return `${spec.kind}${spec.model ? `:${spec.model}` : ''}${query ? `?${query}` : ''}`;
}

/** Whether a text can be read as a spec: a library may say anything. */
export function isEmbedderSpec(text: string): boolean {
  try {
    parseEmbedderSpec(text, {});
    return true;
  } catch {
    return false;
  }
}

const withoutLogin = (url: string): string => url.replace(/^(\w+:\/\/)[^/@]*@/, '$1');
const isKind = (kind: string): kind is EmbedderKind => (KINDS as readonly string[]).includes(kind);
const wrong = (given: string, problem: string): StrataError =>
  new StrataError('INVALID_ARGUMENT', `The embedder "${given}" cannot be read: ${problem}.`);
