import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { Mark, Outline } from '../api-records.js';
import { useT } from '../i18n/i18n.js';
import { oneLine } from '../parts/plain.js';
import { ScrollRegion } from '../parts/scroll-region.js';
import { Block } from './block.js';
import { Heights } from './heights.js';
import { type Segment, segmentsOf } from './segments.js';
import { TextPages } from './text-pages.js';

interface ReaderProps {
  readonly outline: Outline;
  /** What to show first, and to mark. */
  readonly mark: Mark | null;
  /** Whether passages' edges are drawn. */
  readonly boundaries: boolean;
  readonly onChunk?: (index: number) => void;
  readonly onSection?: (id: string) => void;
  readonly onScroll?: (offset: number) => void;
  /** Scrolls there when it changes. */
  readonly goTo?: number | null;
}

/** Pixels above and below what is in sight that are drawn too. */
const AROUND = 800;
const LINE = 26;
/** While the first heights are measured, the marked place is held where it is. */
const HOLD_MS = 600;

/** A document of any length: only what is in sight is in the page, and its text is fetched as it comes. */
export function Reader({ outline, mark, boundaries, onChunk, onSection, onScroll, goTo }: ReaderProps) {
  const t = useT();
  const box = useRef<HTMLElement>(null);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [view, setView] = useState({ top: 0, height: 800 });
  const { id, metadata } = outline.document;
  const pages = useMemo(() => new TextPages(id, () => redraw(undefined)), [id, outline.document.hash]);
  useEffect(() => () => pages.close(), [pages]);
  const segments = useMemo(() => segmentsOf(outline, mark), [outline, mark?.start, mark?.end]);
  const heights = useMemo(() => new Heights(segments.map(guess)), [segments]);
  const held = useRef<{ offset: number; until: number } | null>(null);

  const show = (offset: number): void => {
    const index = segments.findIndex(({ end }) => end > offset);
    if (box.current === null || index < 0) return;
    held.current = { offset, until: performance.now() + HOLD_MS };
    box.current.scrollTop = Math.max(0, heights.top(index) - box.current.clientHeight / 4);
  };
  useLayoutEffect(() => {
    if (mark) show(mark.start);
  }, [segments, mark?.start]);
  useLayoutEffect(() => {
    if (goTo !== null && goTo !== undefined) show(goTo);
  }, [goTo]);
  useEffect(() => {
    const element = box.current!;
    const look = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    const sized = new ResizeObserver(look);
    sized.observe(element);
    look();
    return () => sized.disconnect();
  }, []);

  const first = heights.at(view.top - AROUND);
  const last = Math.min(segments.length - 1, heights.at(view.top + view.height + AROUND));
  const rows = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    let above = 0;
    let changed = false;
    for (const row of rows.current?.children ?? []) {
      const index = Number((row as HTMLElement).dataset.index);
      const change = heights.measure(index, (row as HTMLElement).getBoundingClientRect().height);
      if (change === 0) continue;
      changed = true;
      if (heights.top(index) + 1 < (box.current?.scrollTop ?? 0)) above += change;
    }
    if (!changed) return;
    const hold = held.current;
    if (hold !== null && performance.now() < hold.until) {
      const until = hold.until;
      show(hold.offset);
      held.current = { offset: hold.offset, until };
    } else if (above !== 0 && box.current) box.current.scrollTop += above;
    redraw(undefined);
  });

  const scrolled = (): void => {
    const element = box.current!;
    setView({ top: element.scrollTop, height: element.clientHeight });
    onScroll?.(segments[heights.at(element.scrollTop + 40)]?.start ?? 0);
  };
  return (
    <ScrollRegion class="reader" box={box} onScroll={scrolled} label={oneLine(outline.document.title)}>
      <div class="all" style={{ height: `${heights.total}px` }}>
        <div class="rows" ref={rows} style={{ transform: `translateY(${heights.top(first)}px)` }}>
          {segments.slice(first, last + 1).map((segment, at) => (
            <Row
              key={`${segment.start}`}
              index={first + at}
              segment={segment}
              text={pages.slice(segment.start, segment.end)}
              format={String(metadata.format ?? '')}
              boundaries={boundaries}
              label={segment.opens === null ? '' : t('document.passage', { index: segment.opens + 1 })}
              overlap={t('document.overlap')}
              onChunk={onChunk}
              onSection={onSection}
            />
          ))}
        </div>
      </div>
    </ScrollRegion>
  );
}

interface RowProps {
  readonly index: number;
  readonly segment: Segment;
  readonly text: string | null;
  readonly format: string;
  readonly boundaries: boolean;
  readonly label: string;
  readonly overlap: string;
  readonly onChunk: ((index: number) => void) | undefined;
  readonly onSection: ((id: string) => void) | undefined;
}

function Row({ index, segment, text, format, boundaries, label, overlap, onChunk, onSection }: RowProps) {
  const { chunks, opens, marked, section, kind } = segment;
  const classes = [
    'row',
    marked && 'marked',
    boundaries && chunks.length > 0 && (chunks[0]! % 2 === 0 ? 'even' : 'odd'),
    boundaries && chunks.length > 1 && 'overlap',
    boundaries && opens !== null && 'opens',
  ];
  return (
    <div
      class={classes.filter(Boolean).join(' ')}
      data-index={index}
      title={boundaries && chunks.length > 1 ? overlap : undefined}
    >
      {boundaries && opens !== null && (
        <button type="button" class="number" aria-label={label} onClick={() => onChunk?.(opens)}>
          {opens + 1}
        </button>
      )}
      {boundaries && section !== null && kind === 'heading' && onSection && (
        <button type="button" class="number section" aria-label="§" onClick={() => onSection(section)}>
          §
        </button>
      )}
      {text === null ? (
        <div class="waiting" style={{ height: `${guess(segment)}px` }} />
      ) : (
        <Block text={text} kind={kind} level={segment.level} format={format} />
      )}
    </div>
  );
}

const CHARACTERS_PER_LINE = 80;

const guess = ({ start, end, kind }: Segment): number => {
  if (kind === 'gap') return end - start < 8 ? 0 : LINE;
  return LINE * Math.max(1, Math.ceil((end - start) / CHARACTERS_PER_LINE)) + 14;
};
