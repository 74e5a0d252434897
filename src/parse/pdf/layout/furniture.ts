import type { Line } from './lines.js';

/**
 * Running heads and page numbers: lines at the top or bottom edge that come back on page after page. They are no part
 * of the text: they would cut sentences in two and match every query.
 */

// How many lines at each edge may be furniture (a running head, a rule's caption, a number, a copyright line).
const DEEP = 3;
// On fewer pages a repeated line may well be meant.
const TIMES = 3;
// How far (in points) the line may wander between pages.
const DRIFT = 8;
// Anything this much bigger than the usual size is a title, unless it stands on so many of the pages.
const TITLE_SIZE = 1.35;
const TITLE_SHARE = 0.4;

interface Edge {
  readonly line: Line;
  readonly key: string;
  readonly number: number | null;
}

/** The lines to leave out. A page is never emptied: what stands alone on it is its content. */
export function furnitureOf(pages: readonly (readonly Line[])[], bodySize: number): ReadonlySet<Line> {
  const edges = pages.map((lines) => edgesOf(lines));
  const repeated = repeatedEdges(
    edges.flatMap((page) => page.flat()),
    (edge, times) => edge.line.size <= TITLE_SIZE * bodySize || times >= TITLE_SHARE * pages.length,
  );
  const found = new Set<Line>();
  for (const [page, lines] of pages.entries()) {
    const gone: Line[] = [];
    for (const side of edges[page]!) {
      // From the outside in: a line inside of one that stays is text.
      for (const edge of side) {
        if (!repeated.has(edge)) break;
        gone.push(edge.line);
      }
    }
    if (new Set(gone).size < lines.filter((line) => !line.aside).length)
      for (const line of gone) found.add(line);
  }
  return found;
}

function edgesOf(lines: readonly Line[]): Edge[][] {
  const sorted = lines.filter((line) => !line.aside).sort((a, b) => b.base - a.base);
  const side = (from: readonly Line[], name: string): Edge[] =>
    from.slice(0, DEEP).map((line) => {
      const text = line.text.toLowerCase().replace(/\s+/g, ' ').trim();
      const number = pageNumber(text);
      // A row of single characters is data, however often it comes back.
      const data = text.length > 200 || (number === null && !/\p{L}{2}|\p{Lo}/u.test(text));
      const key = data ? '' : `${name}:${number === null ? text.replace(/\d+/g, '#') : '#'}`;
      return { line, key, number };
    });
  return [side(sorted, 'top'), side(sorted.reverse(), 'bottom')];
}

/** `12`, `– xii –`, `Page 3 of 10`, `第 3 页`: the number; null for anything with words of its own. */
function pageNumber(text: string): number | null {
  const bare = text.replace(/^(?:page|seite|p\.|第)\s*/, '').replace(/(?<!\s)\s*(?:页|頁|ページ)$/, '');
  const match = /^\W*(\d{1,5}|[ivxlc]{1,8})(?:\s*(?:of|von|\/)\s*\d{1,5})?\W*$/.exec(bare);
  if (match === null) return null;
  return /\d/.test(match[1]!) ? Number(match[1]) : roman(match[1]!);
}

const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };
function roman(text: string): number {
  const values = [...text].map((letter) => ROMAN[letter]!);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}

function repeatedEdges(
  edges: readonly Edge[],
  oftenEnough: (edge: Edge, times: number) => boolean,
): ReadonlySet<Edge> {
  const groups = new Map<string, Edge[]>();
  for (const edge of edges) {
    if (edge.key === '') continue;
    // A page number counts up with the pages; the same number on every page is data.
    const key = edge.number === null ? edge.key : `${edge.key}${edge.number - edge.line.page}`;
    const group = groups.get(key);
    if (group) group.push(edge);
    else groups.set(key, [edge]);
  }
  const found = new Set<Edge>();
  for (const cluster of [...groups.values()].flatMap(byHeight)) {
    const pages = new Set(cluster.map((edge) => edge.line.page));
    if (pages.size < TIMES || !isRun(pages)) continue;
    for (const edge of cluster) {
      if (oftenEnough(edge, pages.size) && hasNeighbour(pages, edge.line.page)) found.add(edge);
    }
  }
  return found;
}

/** Lines that stand at (nearly) the same height. */
function byHeight(group: readonly Edge[]): Edge[][] {
  const clusters: Edge[][] = [];
  for (const edge of [...group].sort((a, b) => a.line.base - b.line.base)) {
    const last = clusters.at(-1);
    if (last && edge.line.base - last[0]!.line.base <= DRIFT) last.push(edge);
    else clusters.push([edge]);
  }
  return clusters;
}

const hasNeighbour = (pages: ReadonlySet<number>, page: number): boolean =>
  [1, 2].some((step) => pages.has(page - step) || pages.has(page + step));

/** Running heads stand on neighbouring pages, or on every other one; `Chapter 7` comes back far apart. */
function isRun(pages: ReadonlySet<number>): boolean {
  let neighbours = 0;
  for (const page of pages) if (pages.has(page + 1) || pages.has(page + 2)) neighbours++;
  return neighbours >= 0.5 * (pages.size - 1);
}
