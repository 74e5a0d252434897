import { useEffect, useState } from 'preact/hooks';
import { useAnswer } from '../answer.js';
import type { Mark, Outline } from '../api-records.js';
import { useT } from '../i18n/i18n.js';
import { lazy } from '../lazy.js';
import { oneLine } from '../parts/plain.js';
import { ProblemBox } from '../parts/problem-box.js';
import { Reader } from './reader.js';

const PdfPage = lazy(() => import('./pdf-page.js').then(({ PdfPage: part }) => part));

/** A document opened at a place: its text, or the page as it looks where there is one. */
export function Source({
  document,
  mark,
  at,
  onClose,
}: {
  readonly document: string;
  readonly mark: Mark | null;
  /** The place inside the passage to look at first, as an offset of the text. */
  readonly at: number;
  readonly onClose?: () => void;
}) {
  const t = useT();
  const { answer: outline, problem, again } = useAnswer<Outline>('outline', { document });
  const isPdf = outline?.document.metadata.format === 'pdf';
  const [asPage, setAsPage] = useState(true);
  useEffect(() => setAsPage(true), [document]);
  const drawn = isPdf && asPage && outline.state !== 'missing';
  return (
    <section class="source" aria-label={outline ? oneLine(outline.document.title) : t('shell.loading')}>
      <header>
        <div class="name">
          <a href={`/document/${encodeURIComponent(document)}${mark ? `?at=${mark.start}-${mark.end}` : ''}`}>
            {outline ? oneLine(outline.document.title) : '…'}
          </a>
          <span class="path">{outline ? oneLine(outline.document.source_path) : ''}</span>
        </div>
        {isPdf && (
          <div class="switch">
            <button type="button" aria-pressed={drawn} onClick={() => setAsPage(true)}>
              {t('source.page')}
            </button>
            <button type="button" aria-pressed={!drawn} onClick={() => setAsPage(false)}>
              {t('source.text')}
            </button>
          </div>
        )}
        {onClose && (
          <button type="button" class="close" onClick={onClose} aria-label={t('search.close')}>
            ×
          </button>
        )}
      </header>
      {problem && <ProblemBox problem={problem} again={again} />}
      {outline &&
        (drawn ? (
          <PdfPage outline={outline} mark={mark} first={pageAt(outline, at)} />
        ) : (
          <Reader outline={outline} mark={mark} boundaries={false} />
        ))}
    </section>
  );
}

const pageAt = ({ pages }: Outline, offset: number): number =>
  Math.max(1, pages.findLastIndex((start) => start <= offset) + 1);
