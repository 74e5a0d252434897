import type { FilterRow, FilterRows } from '../../store/words/unit-filters.js';
import type { Connection } from './connection.js';
import type { Row } from './values.js';

/** Documents as filters ask for them. */
export const filterRows =
  (connection: Connection): FilterRows =>
  (ids, needsMetadata) => {
    const columns = `n, id, source_path, updated_at${needsMetadata ? ', metadata' : ''}`;
    // A filter on ids names few documents: look those up instead of reading all.
    const rows =
      ids === undefined
        ? connection.all(`SELECT ${columns} FROM knowledge_items`)
        : ids.flatMap((id) => connection.all(`SELECT ${columns} FROM knowledge_items WHERE id = ?`, id));
    return rows.map(toFilterRow);
  };

const toFilterRow = (row: Row): FilterRow => {
  const [n, id, source_path, updated_at, metadata] = row as string[];
  return {
    n: Number(n),
    id: id!,
    source_path: source_path!,
    updated_at: updated_at!,
    metadata: metadata === undefined ? {} : JSON.parse(metadata),
  };
};
