import type { Cell, Line } from './lines.js';

/** A table that stands in the lines `from` to `end` (exclusive): rows of as many cells as it has columns. */
export interface FoundTable {
  readonly end: number;
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  readonly cells: string[];
  readonly page: number;
}

// Lines further apart than this many line heights do not belong to one table.
const ROW_REACH = 3;
// Share of the lines whose cells must fall into columns of their own.
const ORDERLY = 0.7;

/** A table that begins at this line, where there is one: lines whose cells stand in common columns. */
export function tableAt(lines: readonly Line[], from: number): FoundTable | null {
  if (lines[from]!.cells.length < 2) return null;
  const run = runFrom(lines, from);
  const many = run.filter((line) => line.cells.length > 1);
  if (many.length < 2 || (many.length === 2 && many.some((line) => line.cells.length < 3))) return null;
  const columns = columnsOf(many);
  if (columns.length < 2) return null;
  const orderly = many.filter((line) => distinct(line.cells.map((cell) => columnOf(columns, cell)))).length;
  if (orderly < ORDERLY * many.length) return null;
  return { end: from + run.length, rows: rowsOf(run, columns) };
}

function runFrom(lines: readonly Line[], from: number): Line[] {
  const run = [lines[from]!];
  for (let at = from + 1; at < lines.length; at++) {
    const [before, line] = [lines[at - 1]!, lines[at]!];
    const gap = before.base - line.base;
    if (line.region !== before.region || line.page !== before.page || gap > ROW_REACH * line.size) break;
    // One line with a single cell may stand between: the rest of a cell above it.
    if (line.cells.length < 2 && (lines[at - 1]!.cells.length < 2 || line.text.length > 80)) break;
    run.push(line);
  }
  while (run.at(-1)!.cells.length < 2) run.pop();
  return run;
}

/** Strips that (almost) no line covers part the columns. */
function columnsOf(lines: readonly Line[]): Cell[] {
  const cells = lines.flatMap((line) => line.cells).sort((a, b) => a.left - b.left);
  const few = Math.floor(lines.length * 0.1);
  const edges = cells
    .flatMap((cell) => [
      { at: cell.left, step: 1 },
      { at: cell.right, step: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.step - b.step);
  const columns: { text: string; left: number; right: number }[] = [];
  let depth = 0;
  for (const edge of edges) {
    const before = depth;
    depth += edge.step;
    if (before <= few && depth > few) columns.push({ text: '', left: edge.at, right: edge.at });
    if (before > few && depth <= few && columns.length > 0) columns.at(-1)!.right = edge.at;
  }
  return columns;
}

function columnOf(columns: readonly Cell[], cell: Cell): number {
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (const [at, column] of columns.entries()) {
    const common = Math.min(cell.right, column.right) - Math.max(cell.left, column.left);
    if (common > most) [best, most] = [at, common];
  }
  return best;
}

const distinct = (values: readonly number[]): boolean => new Set(values).size === values.length;

function rowsOf(lines: readonly Line[], columns: readonly Cell[]): TableRow[] {
  const rows: TableRow[] = [];
  for (const line of lines) {
    const placed = line.cells.map((cell) => ({ cell, column: columnOf(columns, cell) }));
    const above = rows.at(-1);
    if (above && placed.length === 1 && placed[0]!.column > 0) {
      // The rest of the cell above.
      const at = placed[0]!.column;
      above.cells[at] = `${above.cells[at]} ${placed[0]!.cell.text}`.trim();
      continue;
    }
    const cells = columns.map(() => '');
    for (const { cell, column } of placed) cells[column] = `${cells[column]} ${cell.text}`.trim();
    rows.push({ cells, page: line.page });
  }
  return rows;
}
