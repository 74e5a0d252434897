import { useEffect, useMemo, useState } from 'preact/hooks';
import { asProblem, useAnswer } from '../../answer.js';
import { call, type Problem } from '../../api.js';
import type { SearchAnswer } from '../../api-records.js';
import { useT } from '../../i18n/i18n.js';
import { live } from '../../live.js';
import { oneLine, plain, titleText } from '../../parts/plain.js';
import { ProblemBox } from '../../parts/problem-box.js';
import { Ticked } from '../../parts/ticked.js';
import { useStore } from '../../store.js';
import { MapCanvas } from './canvas.js';
import { COLOURS, OTHER } from './draw.js';
import { type MapAnswer, type Points, unpack } from './points.js';

type Making = { readonly state: 'making' | 'empty'; readonly done: number; readonly total: number };

interface Passage {
  readonly id: string;
  readonly doc_id: string;
  readonly title: string;
  readonly title_path: readonly string[];
  readonly summary: string;
  readonly start_position: number;
  readonly end_position: number;
}

/** The library's passages as points, near in meaning near each other. */
export function MapView() {
  const t = useT();
  const { answer, problem, again } = useAnswer<MapAnswer | Making>('map', {}, { follows: true });
  useEffect(() => {
    if (answer?.state !== 'making') return undefined;
    const timer = setTimeout(again, 700);
    return () => clearTimeout(timer);
  }, [answer]);
  return (
    <div class="map">
      {problem && <ProblemBox problem={problem} again={again} />}
      {answer?.state === 'making' && (
        <p class="loading" aria-live="polite">
          <progress max={answer.total || 1} value={answer.done} aria-label={t('map.title')} />{' '}
          {t('map.making', { done: answer.done, total: answer.total })}
        </p>
      )}
      {answer?.state === 'empty' && (
        <div class="page">
          <h1>{t('map.title')}</h1>
          <p>
            {t('map.empty')} <Ticked text={t('map.empty.next')} />
          </p>
        </div>
      )}
      {answer?.state === 'ready' && <Drawn map={answer} />}
    </div>
  );
}

function Drawn({ map }: { readonly map: MapAnswer }) {
  const t = useT();
  const points = useMemo(() => unpack(map), [map]);
  const [by, setBy] = useState<'folder' | 'format'>('folder');
  const groups = useMemo(() => groupsOf(map, points, by), [map, points, by]);
  const [query, setQuery] = useState('');
  const { hits, problem } = useHits(query);
  const [passage, setPassage] = useState<Passage | null>(null);
  const [failed, setFailed] = useState<Problem | null>(null);
  const open = (index: number): void => {
    call<Passage>('map-point', { index }).then(setPassage, (error: unknown) => setFailed(asProblem(error)));
  };
  const shown = problem ?? failed;
  return (
    <>
      <div class="map-side">
        <h1>{t('map.title')}</h1>
        <p class="hint">{t('map.intro')}</p>
        <input
          type="search"
          value={query}
          aria-label={t('map.search')}
          placeholder={t('map.search')}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <p class="hint" aria-live="polite">
          {t('map.count', { count: map.count, passages: map.passages })}
          {hits.size > 0 && ` · ${t('map.hits', { count: hits.size })}`}
        </p>
        <label>
          {t('map.colour')}{' '}
          <select value={by} onChange={(event) => setBy(event.currentTarget.value as 'folder')}>
            <option value="folder">{t('map.colour.folder')}</option>
            <option value="format">{t('map.colour.format')}</option>
          </select>
        </label>
        <ul class="legend">
          {groups.names.map((name, at) => (
            <li key={name}>
              <svg viewBox="0 0 10 10" aria-hidden="true">
                <rect width="10" height="10" rx="2" fill={COLOURS[at] ?? OTHER} />
              </svg>
              {at < COLOURS.length ? oneLine(name) : t('map.other')}
            </li>
          ))}
        </ul>
        {shown && <ProblemBox problem={shown} />}
        {passage && (
          <article class="passage-card" aria-live="polite">
            <h2>
              <a href={`/document/${passage.doc_id}?at=${passage.start_position}-${passage.end_position}`}>
                {oneLine(passage.title)}
              </a>
            </h2>
            <p class="titles">{passage.title_path.map(titleText).join(' › ')}</p>
            <p>{plain(passage.summary)}</p>
          </article>
        )}
      </div>
      <MapCanvas points={points} colourOf={groups.of} hits={hits} onPoint={open} />
    </>
  );
}

/** The most frequent ten have a colour of their own. */
function groupsOf(
  map: MapAnswer,
  points: Points,
  by: 'folder' | 'format',
): { names: string[]; of: Uint8Array } {
  const counts = new Map<string, number>();
  for (const document of points.documentOf) {
    const name = map.documents[document]![by];
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const index = new Map(names.map((name, at) => [name, Math.min(at, COLOURS.length)]));
  const of = Uint8Array.from(points.documentOf, (document) => index.get(map.documents[document]![by])!);
  return { names: names.slice(0, COLOURS.length + 1), of };
}

const NONE: ReadonlySet<number> = new Set();

function useHits(query: string): { hits: ReadonlySet<number>; problem: Problem | null } {
  const [state, setState] = useState<{ hits: ReadonlySet<number>; problem: Problem | null }>({
    hits: NONE,
    problem: null,
  });
  const generation = useStore(live)?.generation;
  useEffect(() => {
    if (query.trim() === '') {
      setState({ hits: NONE, problem: null });
      return undefined;
    }
    const stop = new AbortController();
    const find = async (): Promise<void> => {
      const input = { query, limit: 50, context: 'none' };
      const { results } = await call<SearchAnswer>('search', input, { signal: stop.signal });
      const ids = results.flatMap(({ matched_chunks }) => matched_chunks.map(({ chunk_id }) => chunk_id));
      if (ids.length === 0) return setState({ hits: NONE, problem: null });
      const { found } = await call<{ found: { index: number }[] }>(
        'map-find',
        { ids },
        { signal: stop.signal },
      );
      setState({ hits: new Set(found.map(({ index }) => index)), problem: null });
    };
    const timer = setTimeout(() => {
      find().catch(
        (error: unknown) => !stop.signal.aborted && setState({ hits: NONE, problem: asProblem(error) }),
      );
    }, 200);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [query, generation]);
  return state;
}
