import { StrataError } from '../../../model/errors.js';
import type { ToolVectors } from '../../../tools/search/search-tool.js';

/** `embedded`, or `turbopuffer:NAMESPACE`. */
export function vectorsOf(written: string | undefined): { readonly vectors?: ToolVectors } {
  if (written === undefined) return {};
  if (written === 'embedded') return { vectors: 'embedded' };
  const [who, namespace] = written.split(/:(.*)/s);
  if (who === 'turbopuffer' && namespace) return { vectors: { turbopuffer_namespace: namespace } };
  throw new StrataError(
    'INVALID_ARGUMENT',
    `vectors: "${written}" is neither embedded nor turbopuffer:NAMESPACE`,
  );
}
