import { StrataError } from '../../model/errors.js';

/** Which reranker, as a person writes it. It never holds a key. */
export type RerankSpec =
  | { readonly kind: 'none' }
  | { readonly kind: 'local'; readonly folder: string }
  | { readonly kind: 'service'; readonly url: string; readonly model?: string };

/**
 * `local:/path/to/folder`, `https://host/v1/rerank#model-name`, `none`. The model's name stands behind a `#`, which is never
 * sent as a part of an address.
 */
export function parseRerankSpec(text: string): RerankSpec {
  const given = text.trim();
  if (given === 'none') return { kind: 'none' };
  const folder = /^local:(.+)$/s.exec(given)?.[1];
  if (folder !== undefined) return { kind: 'local', folder };
  if (!/^https?:\/\//i.test(given)) {
    throw wrong(given, 'use local:FOLDER, the address of a service (https://…/rerank#MODEL), or none');
  }
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw wrong(given, 'its address cannot be read');
  }
  if (url.username !== '' || url.password !== '') {
    throw wrong(withoutLogin(given), 'an address holds no key here; set STRATA_RERANK_KEY');
  }
  const model = decodeURIComponent(url.hash.slice(1));
  url.hash = '';
  return { kind: 'service', url: url.href, ...(model === '' ? {} : { model }) };
}

const withoutLogin = (url: string): string => url.replace(/^(\w+:\/\/)[^/]*@/, '$1');
const wrong = (given: string, problem: string): StrataError =>
  new StrataError('INVALID_ARGUMENT', `The reranker "${given}" cannot be read: ${problem}.`);
