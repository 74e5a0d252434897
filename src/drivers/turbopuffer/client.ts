import type { Turbopuffer } from '@turbopuffer/turbopuffer';
import { isStrataError, reasonOf, StrataError } from '../../model/errors.js';

export type Client = Turbopuffer;

/** A minute is the client's own; a person who asks a question waits less. */
const TIMEOUT_MS = 30_000;

/**
 * The official client, loaded when it is first needed: it is no dependency of ours. Key and place come from the
 * environment alone, so that neither a library nor a command line holds them.
 */
export async function openClient(env: NodeJS.ProcessEnv = process.env): Promise<Client> {
  const { TURBOPUFFER_API_KEY: apiKey, TURBOPUFFER_REGION: region, TURBOPUFFER_BASE_URL: baseURL } = env;
  if (!apiKey) throw unavailable('set TURBOPUFFER_API_KEY to your key');
  if (!region && !baseURL)
    throw unavailable('set TURBOPUFFER_REGION to the region of your namespaces (aws-us-east-1, say)');
  const { default: Constructor } = await load();
  const place = baseURL ? { baseURL, region: null } : { region: region! };
  // Vectors are numbers in JSON: compressed they are a third.
  return new Constructor({ apiKey, ...place, timeout: TIMEOUT_MS, compression: true });
}

async function load(): Promise<typeof import('@turbopuffer/turbopuffer')> {
  try {
    return await import('@turbopuffer/turbopuffer');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw unavailable('its client is not installed; run `npm install @turbopuffer/turbopuffer`');
  }
}

const unavailable = (what: string): StrataError =>
  new StrataError('VECTORS_UNAVAILABLE', `turbopuffer: ${what}`);

export const statusOf = (error: unknown): number | undefined => {
  const { status } = error as { readonly status?: unknown };
  return typeof status === 'number' ? status : undefined;
};

export const cancelled = (cause: unknown): StrataError =>
  new StrataError('ABORTED', 'the work was cancelled', { cause });

/** What the service or the way to it said, in one line that names the namespace. A key is in no message of the client. */
export function failedRequest(namespace: string, what: string, error: unknown): StrataError {
  if (isStrataError(error)) return error;
  const status = statusOf(error);
  const hint = status === 401 || status === 403 ? '; is TURBOPUFFER_API_KEY right?' : '';
  return new StrataError(
    'VECTORS_UNAVAILABLE',
    `turbopuffer, namespace ${namespace}: ${what}: ${reasonOf(error).slice(0, 300)}${hint}`,
    { cause: error },
  );
}
