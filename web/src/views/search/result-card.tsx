import { useState } from 'preact/hooks';
import { call } from '../../api.js';
import type { MatchedChunk, SearchResult } from '../../api-records.js';
import { useT } from '../../i18n/i18n.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Evidence } from '../../parts/evidence.js';
import { Marked } from '../../parts/marked.js';
import { placeText } from '../../parts/place-text.js';
import { oneLine, plain, titleText } from '../../parts/plain.js';

interface CardProps {
  readonly result: SearchResult;
  readonly chosen: string | null;
  readonly onChoose: (chunk: MatchedChunk) => void;
}

/** A document that answers, with its passages. */
export function ResultCard({ result, chosen, onChoose }: CardProps) {
  const t = useT();
  const { item, matched_chunks: chunks } = result;
  const state = result.gone ? 'missing' : result.stale ? 'changed' : null;
  return (
    <li class="result">
      <h2>
        <a href={`/document/${item.id}`}>{oneLine(item.title)}</a>
      </h2>
      <p class="path">
        {oneLine(item.source_path)}
        {state && <span class={`badge ${state}`}>{t(`state.${state}`)}</span>}
      </p>
      {chunks.length === 0 && <p class="excerpt">{plain(item.summary)}</p>}
      {chunks.map((chunk) => (
        <Passage
          key={chunk.chunk_id}
          chunk={chunk}
          result={result}
          isChosen={chunk.chunk_id === chosen}
          onChoose={() => onChoose(chunk)}
        />
      ))}
    </li>
  );
}

function Passage({
  chunk,
  result,
  isChosen,
  onChoose,
}: {
  readonly chunk: MatchedChunk;
  readonly result: SearchResult;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  const t = useT();
  const made = result.highlights.find(({ chunk_id }) => chunk_id === chunk.chunk_id);
  const excerpt = made ?? { text: chunk.content.slice(0, 280), matches: [] };
  const path = chunk.title_path.length > 0 ? chunk.title_path : [chunk.heading];
  return (
    <div class={isChosen ? 'passage chosen' : 'passage'}>
      <button
        type="button"
        class="choose"
        data-chunk={chunk.chunk_id}
        aria-pressed={isChosen}
        onClick={onChoose}
      >
        <span class="titles">{path.map(titleText).join(' › ')}</span>
        <span class="excerpt">
          <Marked text={excerpt.text} matches={excerpt.matches} />
        </span>
      </button>
      <div class="about">
        <span class="place">{placeText(chunk.loc, t)}</span>
        {chunk.content_type !== 'text' && <span class="kind">{t(`type.${chunk.content_type}`)}</span>}
        {chunk.explain && <Evidence explain={chunk.explain} />}
        <span class="space" />
        <Around chunk={chunk} />
        <CopyButton text={chunk.citation.ref} label={t('search.cite')} />
      </div>
    </div>
  );
}

interface Neighbour {
  readonly previous_id: string | null;
  readonly next_id: string | null;
  readonly content: string;
}

/** What stands before and after a passage, when somebody asks. */
function Around({ chunk }: { readonly chunk: MatchedChunk }) {
  const t = useT();
  const [texts, setTexts] = useState<{ before: string; after: string } | null>(null);
  const load = async (): Promise<void> => {
    if (texts !== null) return setTexts(null);
    const { previous_id, next_id } = await call<Neighbour>('inspect', { id: chunk.chunk_id });
    const read = async (id: string | null): Promise<string> =>
      id === null ? '' : (await call<Neighbour>('inspect', { id })).content;
    setTexts({ before: await read(previous_id), after: await read(next_id) });
  };
  return (
    <>
      <button
        type="button"
        class="quiet"
        aria-expanded={texts !== null}
        onClick={() => void load().catch(() => {})}
      >
        {t('search.around')}
      </button>
      {texts && (
        <div class="around">
          <p>{plain(texts.before).slice(-600)}</p>
          <p class="middle">{plain(chunk.content)}</p>
          <p>{plain(texts.after).slice(0, 600)}</p>
        </div>
      )}
    </>
  );
}
