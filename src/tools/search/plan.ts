import { isDeepStrictEqual } from 'node:util';
import { tableMetadata, tableSource } from '../../ingest/tables/table-chunks.js';
import type { TableString } from '../../ingest/tables/table-strings.js';
import type { Document } from '../../model/document.js';
import type { Backend } from '../../store/backend.js';
import type { SearchTool } from './search-tool.js';
import { namespaceOf } from './tool-store.js';

/** A string as its document should be. */
export interface WantedString extends TableString {
  readonly source: string;
  readonly search_tools: readonly string[];
  readonly turbopuffer: readonly { readonly tool_id: string; readonly namespace: string }[];
}

/** What has to be done so that the documents of a table show its strings. */
export interface Plan {
  readonly put: readonly { readonly wanted: WantedString; readonly before: Document | null }[];
  /** Only which tools cover it has changed. */
  readonly touch: readonly { readonly wanted: WantedString; readonly before: Document }[];
  readonly remove: readonly Document[];
}

export function wantedStrings(
  tableId: string,
  tools: readonly SearchTool[],
  found: readonly TableString[],
): WantedString[] {
  return found.map((one) => {
    const covering = one.scopes.map((at) => tools[at]!);
    return {
      ...one,
      source: tableSource(tableId, one.pointer),
      search_tools: covering.map(({ id }) => id).sort(),
      turbopuffer: covering.flatMap((tool) => {
        const namespace = namespaceOf(tool);
        return namespace === null ? [] : [{ tool_id: tool.id, namespace }];
      }),
    };
  });
}

/** Compared by the string's hash: what is as it should be is not touched. `chunking` says how documents are cut now. */
export function planOf(
  wanted: readonly WantedString[],
  documents: readonly Document[],
  chunking: string,
): Plan {
  const known = new Map(documents.map((document) => [document.source, document]));
  const put: Plan['put'][number][] = [];
  const touch: Plan['touch'][number][] = [];
  for (const one of wanted) {
    const before = known.get(one.source) ?? null;
    known.delete(one.source);
    if (before === null || !isCurrent(before, one, chunking)) put.push({ wanted: one, before });
    else if (!isSame(before.metadata.search_tools, one.search_tools)) touch.push({ wanted: one, before });
  }
  return { put, touch, remove: [...known.values()] };
}

function isCurrent(before: Document, wanted: WantedString, chunking: string): boolean {
  const { content_hash, turbopuffer, table_title, chunking: cut } = before.metadata;
  return (
    tableMetadata(before) !== null &&
    content_hash === wanted.content_hash &&
    // The title is part of what is embedded.
    table_title === wanted.title &&
    cut === chunking &&
    isSame(turbopuffer, wanted.turbopuffer)
  );
}

/** Stores keep fields in whatever order. */
const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b);

const PAGE = 1_000;

/** The documents of a table's strings. They stand together in the order of sources. */
export async function documentsOfTable(backend: Backend, tableId: string): Promise<Document[]> {
  const start = tableSource(tableId, '');
  const found: Document[] = [];
  const whole = await backend.documentBySource(start);
  if (whole !== null) found.push(whole);
  for (let after = start; ; ) {
    const page = await backend.documents({ after, limit: PAGE });
    for (const document of page) {
      if (!document.source.startsWith(start)) return found;
      found.push(document);
    }
    if (page.length < PAGE) return found;
    after = page.at(-1)!.source;
  }
}
