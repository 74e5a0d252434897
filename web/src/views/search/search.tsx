import { useEffect, useRef, useState } from 'preact/hooks';
import type { MatchedChunk, SearchAnswer } from '../../api-records.js';
import { useT } from '../../i18n/i18n.js';
import { useSaid } from '../../i18n/said.js';
import { live } from '../../live.js';
import { copyText } from '../../parts/copy-button.js';
import { oneLine } from '../../parts/plain.js';
import { ProblemBox } from '../../parts/problem-box.js';
import { Ticked } from '../../parts/ticked.js';
import { Source } from '../../reader/source.js';
import { place, setParams } from '../../router.js';
import { useStore } from '../../store.js';
import { FilterBar } from './filter-bar.js';
import { ResultCard } from './result-card.js';
import { type Filters, useSearch } from './use-search.js';

const listOf = (text: string | null): string[] => (text ? text.split(',') : []);

/** Search as you type, the source beside it. The question and its filters are in the address. */
export function Search() {
  const t = useT();
  const { params } = useStore(place);
  const [query, setQuery] = useState(params.get('q') ?? '');
  const filters: Filters = {
    formats: listOf(params.get('format')),
    content_types: listOf(params.get('type')),
    path: params.get('in') ?? '',
  };
  const { answer, problem, busy, lacksMeaning } = useSearch(query, filters);
  const [chosen, setChosen] = useState<MatchedChunk | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    const timer = setTimeout(() => setParams({ q: query.trim() }), 300);
    return () => clearTimeout(timer);
  }, [query]);
  const passages = answer?.results.flatMap(({ matched_chunks }) => matched_chunks) ?? [];
  usePassageKeys(passages, chosen, setChosen, input.current);
  return (
    <div class={chosen ? 'search with-source' : 'search'}>
      <div class="results">
        <search>
          <input
            ref={input}
            id="query"
            type="search"
            value={query}
            placeholder={t('search.placeholder')}
            aria-label={t('search.label')}
            autocomplete="off"
            spellcheck={false}
            maxLength={10_000}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
        </search>
        <FilterBar
          filters={filters}
          onChange={({ formats, content_types, path }) =>
            setParams({ format: formats.join(','), type: content_types.join(','), in: path })
          }
        />
        {problem && <ProblemBox problem={problem} />}
        {query.trim() === '' ? (
          <Start />
        ) : answer ? (
          <Notes answer={answer} busy={busy} lacksMeaning={lacksMeaning} onQuery={setQuery} />
        ) : (
          busy && <p class="loading">{t('shell.loading')}</p>
        )}
        {query.trim() !== '' && (
          <ol class={busy ? 'list busy' : 'list'} aria-label={t('nav.search')}>
            {answer?.results.map((result) => (
              <ResultCard
                key={result.item.id}
                result={result}
                chosen={chosen?.chunk_id ?? null}
                onChoose={(chunk) => setChosen(chunk.chunk_id === chosen?.chunk_id ? null : chunk)}
              />
            ))}
          </ol>
        )}
      </div>
      {chosen && (
        <Source
          document={chosen.citation.doc_id}
          mark={{ start: chosen.start_position, end: chosen.end_position }}
          at={chosen.best_sentence?.start_position ?? chosen.start_position}
          onClose={() => setChosen(null)}
        />
      )}
    </div>
  );
}

/** What is to know about an answer before it is read. */
function Notes({
  answer,
  busy,
  lacksMeaning,
  onQuery,
}: {
  readonly answer: SearchAnswer;
  readonly busy: boolean;
  readonly lacksMeaning: boolean;
  readonly onQuery: (query: string) => void;
}) {
  const t = useT();
  const said = useSaid();
  const count = answer.results.length;
  const { suggestion } = answer;
  return (
    <div class="notes" aria-live="polite" aria-busy={busy}>
      <p class="count">
        {t('search.count', { count })} · {t('search.by', { mode: t(`search.mode.${answer.mode}`) })}
      </p>
      {count === 0 && (
        <p>
          <strong>{t('search.none')}</strong> {t('search.none.next')}
        </p>
      )}
      {answer.weak && count > 0 && <p>{t('search.weak')}</p>}
      {suggestion !== undefined && (
        <p>
          {t('search.suggestion')}{' '}
          <button type="button" class="link" onClick={() => onQuery(suggestion)}>
            {oneLine(suggestion)}
          </button>
          ?
        </p>
      )}
      {lacksMeaning && (
        <p class="notice" role="status">
          <strong>{t('search.words.only')}</strong> <Ticked text={t('search.words.only.next')} />
        </p>
      )}
      {answer.notices.map((notice) => (
        <p key={notice} class="notice">
          {oneLine(said(notice))}
        </p>
      ))}
    </div>
  );
}

function Start() {
  const t = useT();
  const library = useStore(live);
  if (library === null) return null;
  return (
    <div class="start">
      <h1>{t('search.empty.title')}</h1>
      {library.documents === 0 ? (
        <p>
          {t('search.empty.library')} <a href="/library">{t('nav.library')}</a>
        </p>
      ) : (
        <p>{t('search.empty.text', { documents: library.documents, chunks: library.chunks })}</p>
      )}
    </div>
  );
}

/** Down and up go through the passages, Escape closes the source, c copies. */
function usePassageKeys(
  passages: readonly MatchedChunk[],
  chosen: MatchedChunk | null,
  choose: (chunk: MatchedChunk | null) => void,
  input: HTMLInputElement | null,
): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const typing = event.target === input;
      const inField = /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as Element).tagName);
      if (event.metaKey || event.ctrlKey || event.altKey || (inField && !typing)) return;
      if (event.key === 'Escape' && chosen !== null) {
        choose(null);
        input?.focus();
      } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        if ((event.target as Element).closest('.reader, .sheet') !== null) return;
        const at = passages.findIndex(({ chunk_id }) => chunk_id === chosen?.chunk_id);
        const next = passages[Math.max(0, at + (event.key === 'ArrowDown' ? 1 : -1))];
        if (next === undefined) return;
        event.preventDefault();
        choose(next);
        const button = document.querySelector<HTMLElement>(`[data-chunk="${CSS.escape(next.chunk_id)}"]`);
        button?.focus();
        button?.scrollIntoView({ block: 'nearest' });
      } else if (event.key === 'Enter' && typing && passages[0] !== undefined) {
        choose(passages[0]);
      } else if (event.key === 'c' && !typing && chosen !== null) {
        void copyText(chosen.citation.ref);
      }
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [passages, chosen, input]);
}
