import { useEffect, useState } from 'preact/hooks';
import { useAnswer } from '../answer.js';
import type { Mark, Outline } from '../api-records.js';
import { useT } from '../i18n/i18n.js';
import { oneLine } from '../parts/plain.js';
import { ProblemBox } from '../parts/problem-box.js';
import { ScrollRegion } from '../parts/scroll-region.js';

interface Picture {
  readonly page: number;
  readonly page_count: number;
  readonly width: number;
  readonly height: number;
  readonly png: string;
  readonly boxes: readonly {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }[];
}

/** Sharp on screens with two pixels for one, at the width of a column. */
const WIDTH = 1200;

/** A PDF's page as its author made it, drawn by the server, with the passage's lines marked. */
export function PdfPage({
  outline,
  mark,
  first,
}: {
  readonly outline: Outline;
  readonly mark: Mark | null;
  readonly first: number;
}) {
  const t = useT();
  const [page, setPage] = useState(first);
  useEffect(() => setPage(first), [first, outline.document.id]);
  const { id: document, title } = outline.document;
  const input = { document, page, width: WIDTH, start: mark?.start ?? 0, end: mark?.end ?? 0 };
  const { answer, problem, loading, again } = useAnswer<Picture>('pdf-page', input);
  const count = answer?.page_count ?? outline.pages.length;
  return (
    <div class="pdf">
      <div class="turn">
        <button
          type="button"
          disabled={page <= 1}
          onClick={() => setPage(page - 1)}
          aria-label={t('source.previous')}
        >
          ←
        </button>
        <span aria-live="polite">{t('source.of', { page, count })}</span>
        <button
          type="button"
          disabled={page >= count}
          onClick={() => setPage(page + 1)}
          aria-label={t('source.next')}
        >
          →
        </button>
      </div>
      {problem && <ProblemBox problem={problem} again={again} />}
      {loading && answer === null && <p class="loading">{t('shell.loading')}</p>}
      {answer && (
        <ScrollRegion class={loading ? 'sheet old' : 'sheet'} label={t('source.page')}>
          <div class="paper">
            <img
              src={`data:image/png;base64,${answer.png}`}
              alt={t('source.picture', { page: answer.page, title: oneLine(title) })}
              width={answer.width}
              height={answer.height}
            />
            {answer.boxes.map((box) => (
              <span
                key={`${box.x} ${box.y}`}
                class="box"
                style={{
                  left: `${(100 * box.x) / answer.width}%`,
                  top: `${(100 * box.y) / answer.height}%`,
                  width: `${(100 * box.width) / answer.width}%`,
                  height: `${(100 * box.height) / answer.height}%`,
                }}
              />
            ))}
          </div>
        </ScrollRegion>
      )}
    </div>
  );
}
