import type { VectorMirror } from '../../store/vector-mirror.js';
import type { LibraryTrust } from '../trust/trust.js';

/** How agreements and flags name the place. */
export const mirrorSpec = (namespace: string): string => `turbopuffer:${namespace}`;

/** What the user names now is agreed to. */
export const agreeToMirror = (trust: LibraryTrust, namespace: string): Promise<void> =>
  trust.note('vectors', mirrorSpec(namespace));

/**
 * A namespace that a library names. A library that was found must not make this machine talk to anybody with the user's
 * key: throws UNTRUSTED where the user has not agreed to exactly this one.
 */
export async function openMirror(trust: LibraryTrust, namespace: string): Promise<VectorMirror> {
  await trust.require('vectors', mirrorSpec(namespace));
  const [{ openClient }, { TurbopufferNamespace }] = await Promise.all([
    import('../../drivers/turbopuffer/client.js'),
    import('../../drivers/turbopuffer/namespace.js'),
  ]);
  return new TurbopufferNamespace(await openClient(), namespace);
}
