import type { Library } from '../../engine/library.js';
import { openMirror } from '../../engine/mirror/open-mirror.js';
import { partsOf } from '../../engine/open-library.js';
import { isStrataError, reasonOf } from '../../model/errors.js';
import { mirrorState } from '../../store/outbox.js';
import type { VectorMirror } from '../../store/vector-mirror.js';
import type { VectorIndex } from '../../store/vectors.js';
import type { SearchTool } from './search-tool.js';
import { namespaceOf } from './tool-store.js';

/** Asked for the nearest chunks instead of the library's own index. */
export type Nearest = VectorIndex['near'];

interface ToolMirror {
  /** Null where the tool has its vectors in the library alone. */
  readonly nearest: Nearest | null;
  /** Why the library's own vectors were asked instead. */
  notices(): readonly string[];
}

/**
 * A tool's vectors at turbopuffer. The library has them too: what cannot be reached, or was not agreed to, is no reason to
 * answer nothing, and the answer says so.
 */
export async function mirrorOf(
  library: Library,
  tool: SearchTool,
  signal: AbortSignal | undefined,
): Promise<ToolMirror> {
  const namespace = namespaceOf(tool);
  const notices: string[] = [];
  if (namespace === null) return { nearest: null, notices: () => notices };
  const { backend, trust } = partsOf(library);
  let mirror: Promise<VectorMirror> | undefined;
  const nearest: Nearest = async (query) => {
    try {
      if ((await mirrorState(backend, tool.id)) !== query.fingerprint) {
        notices.push(
          'The vectors at turbopuffer are not those of the library’s model yet; asked the library’s own.',
        );
        return backend.vectors.near(query);
      }
      mirror ??= openMirror(trust, namespace);
      const { vector, k } = query;
      const found = await (await mirror).near({ owner: tool.id, vector, k }, signal);
      return found.map(({ chunk_id, score }) => ({ id: chunk_id, score }));
    } catch (error) {
      if (!isStrataError(error, 'VECTORS_UNAVAILABLE') && !isStrataError(error, 'UNTRUSTED')) throw error;
      notices.push(`Asked the library’s own vectors: ${reasonOf(error)}`);
      return backend.vectors.near(query);
    }
  };
  return { nearest, notices: () => [...new Set(notices)] };
}
