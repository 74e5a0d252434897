import { StrataError } from '../../model/errors.js';
import {
  everythingRecord,
  libraryTarget,
  libraryTargetRecord,
  mirrorState,
  newLibraryTarget,
} from '../../store/outbox.js';
import type { LibraryParts } from '../library-parts.js';
import { type Delivery, type DeliveryOptions, deliver } from './deliver.js';
import { agreeToMirror } from './open-mirror.js';

const SPEC = /^turbopuffer:([A-Za-z0-9_.-]{1,128})$/;

/** `turbopuffer:NAMESPACE`, or `embedded` for the library's own index alone: who is asked for the nearest from now on. */
export async function mirrorLibrary(
  parts: LibraryParts,
  written: string,
  options: DeliveryOptions,
): Promise<Delivery> {
  const { backend, trust } = parts;
  const namespace = SPEC.exec(written)?.[1];
  if (namespace === undefined && written !== 'embedded')
    throw new StrataError(
      'INVALID_ARGUMENT',
      `vectors: "${written}" is neither embedded nor turbopuffer:NAMESPACE`,
    );
  if (namespace !== undefined) await agreeToMirror(trust, namespace);
  const before = await libraryTarget(backend);
  const target =
    namespace === undefined ? null : before?.namespace === namespace ? before : newLibraryTarget(namespace);
  const touched = [before, target].filter((one) => one !== null);
  await backend.commit({
    records: [libraryTargetRecord(target), ...new Set(touched)].map((one) =>
      'kind' in one ? one : everythingRecord(one),
    ),
  });
  return deliver(parts, options);
}

/** After a change: what the whole library's copy must hear. Nothing where there is none. */
export async function deliverLibrary(
  parts: LibraryParts,
  options: DeliveryOptions,
): Promise<readonly string[]> {
  const { backend } = parts;
  const target = await libraryTarget(backend);
  if (target === null) return [];
  const { active } = await backend.vectors.state();
  const isOther = active !== null && (await mirrorState(backend, target.tool_id)) !== active;
  if (isOther) await backend.commit({ records: [everythingRecord(target)] });
  return (await deliver(parts, options)).problems;
}
