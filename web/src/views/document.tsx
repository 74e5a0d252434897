import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useAnswer } from '../answer.js';
import type { Mark, Outline } from '../api-records.js';
import { useT } from '../i18n/i18n.js';
import { FieldTable } from '../parts/field-table.js';
import { oneLine, titleText } from '../parts/plain.js';
import { ProblemBox } from '../parts/problem-box.js';
import { ScrollRegion } from '../parts/scroll-region.js';
import { Reader } from '../reader/reader.js';
import { place } from '../router.js';
import { useStore } from '../store.js';

type Chosen = { readonly kind: 'chunk' | 'section' | 'document'; readonly id: string };

/** A document as Strata sees it: outline, text, where its passages begin and end, and every field of what is clicked. */
export function DocumentView() {
  const t = useT();
  const { rest: target, params } = useStore(place);
  const {
    answer: outline,
    problem,
    again,
  } = useAnswer<Outline>('outline', { document: target }, { follows: true });
  const mark = useMemo(() => markOf(params.get('at')), [params.get('at')]);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [boundaries, setBoundaries] = useState(true);
  const [goTo, setGoTo] = useState<number | null>(null);
  const [offset, setOffset] = useState(0);
  if (problem && outline === null) return <ProblemBox problem={problem} again={again} />;
  if (outline === null) return <p class="loading">{t('shell.loading')}</p>;
  const { document } = outline;
  return (
    <div class="document">
      <header>
        <h1>{oneLine(document.title)}</h1>
        <p class="path">
          {oneLine(document.source_path)}
          {outline.state !== 'same' && outline.state !== 'unknown' && (
            <span class={`badge ${outline.state}`}>{t(`state.${outline.state}`)}</span>
          )}
        </p>
        <p class="facts">
          {t('document.facts', { chunks: outline.chunks.length, length: outline.length })}
          <label>
            <input
              type="checkbox"
              checked={boundaries}
              onChange={(event) => setBoundaries(event.currentTarget.checked)}
            />
            {t('document.boundaries')}
          </label>
        </p>
      </header>
      <OutlineList outline={outline} offset={offset} onGo={setGoTo} />
      <Reader
        outline={outline}
        mark={mark}
        boundaries={boundaries}
        goTo={goTo}
        onScroll={setOffset}
        onChunk={(index) => setChosen({ kind: 'chunk', id: outline.chunks[index]!.id })}
        onSection={(id) => setChosen({ kind: 'section', id })}
      />
      <Fields outline={outline} chosen={chosen} />
    </div>
  );
}

const markOf = (text: string | null): Mark | null => {
  const match = /^(\d+)-(\d+)$/.exec(text ?? '');
  return match ? { start: Number(match[1]), end: Number(match[2]) } : null;
};

function OutlineList({
  outline,
  offset,
  onGo,
}: {
  readonly outline: Outline;
  readonly offset: number;
  readonly onGo: (offset: number) => void;
}) {
  const t = useT();
  const current = outline.sections.findLast(({ start_position }) => start_position <= offset + 1)?.id;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const item = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (!item || !list.current) return;
    const [top, bottom] = [item.offsetTop, item.offsetTop + item.offsetHeight];
    const { scrollTop, clientHeight } = list.current;
    if (top < scrollTop || bottom > scrollTop + clientHeight) list.current.scrollTop = top - clientHeight / 2;
  }, [current]);
  return (
    <nav class="outline" aria-label={t('document.outline')}>
      <h2>{t('document.outline')}</h2>
      <ol ref={list}>
        {outline.sections.slice(0, 3000).map((section) => (
          <li key={section.id} class={`depth-${section.level}`}>
            <button
              type="button"
              aria-current={section.id === current ? 'location' : undefined}
              onClick={() => onGo(section.start_position)}
            >
              {titleText(section.title) || '—'}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface Node {
  readonly kind: 'chunk' | 'section';
  readonly fields: Readonly<Record<string, unknown>>;
}

function Fields({ outline, chosen }: { readonly outline: Outline; readonly chosen: Chosen | null }) {
  const t = useT();
  const input = chosen === null ? null : { document: outline.document.id, id: chosen.id };
  const { answer, problem, again } = useAnswer<Node>('node', input);
  const [title, fields] =
    chosen !== null && answer !== null
      ? [t(answer.kind === 'chunk' ? 'document.passage' : 'document.section', indexOf(answer)), answer.fields]
      : [t('document.document'), outline.document as unknown as Readonly<Record<string, unknown>>];
  return (
    <ScrollRegion class="fields" label={t('document.fields')}>
      <h2>{title}</h2>
      {chosen === null && <p class="hint">{t('document.fields.none')}</p>}
      {problem && <ProblemBox problem={problem} again={again} />}
      <FieldTable fields={fields} />
    </ScrollRegion>
  );
}

const indexOf = ({ fields }: Node): { index: number } => ({ index: Number(fields.chunk_index ?? 0) + 1 });
