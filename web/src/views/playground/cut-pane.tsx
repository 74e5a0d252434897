import { useEffect } from 'preact/hooks';
import { useAnswer } from '../../answer.js';
import { useT } from '../../i18n/i18n.js';
import { plain, titleText } from '../../parts/plain.js';
import { ProblemBox } from '../../parts/problem-box.js';
import { ScrollRegion } from '../../parts/scroll-region.js';
import type { Given } from './playground.js';

export interface Settings {
  readonly strategy: 'hierarchical' | 'h2' | 'content';
  readonly max: number;
  readonly min: number;
  readonly overlap: number;
}

export interface Cut {
  readonly format: string;
  readonly text: string;
  readonly chunks: readonly {
    readonly chunk_index: number;
    readonly title_path: readonly string[];
    readonly content_type: string;
    readonly start_position: number;
    readonly end_position: number;
    readonly token_count: number;
  }[];
  readonly warnings: readonly string[];
}

const STRATEGIES = ['hierarchical', 'h2', 'content'] as const;
const SHOWN = 300;

/** A text cut by some settings; the passages change while the settings do. */
export function CutPane({
  name,
  given,
  settings,
  onSettings,
  onCut,
}: {
  readonly name: string;
  readonly given: Given;
  readonly settings: Settings;
  readonly onSettings: (settings: Settings) => void;
  readonly onCut?: (cut: Cut) => void;
}) {
  const t = useT();
  const { strategy, max, min, overlap } = settings;
  const sizes = strategy === 'h2' ? {} : { max, min: Math.min(min, max), overlap };
  const isEmpty = 'text' in given && given.text.trim() === '';
  const { answer, problem, again } = useAnswer<Cut>(
    'chunk-text',
    isEmpty ? null : { ...given, strategy, ...sizes },
  );
  useEffect(() => {
    if (answer !== null) onCut?.(answer);
  }, [answer]);
  const lengths = answer?.chunks.map(({ start_position: from, end_position: to }) => to - from) ?? [];
  const mean = Math.round(lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length));
  return (
    <section class="pane" aria-label={t('play.settings', { name })}>
      <div class="settings">
        <label>
          {t('play.strategy')}
          <select
            value={strategy}
            onChange={(event) =>
              onSettings({ ...settings, strategy: event.currentTarget.value as Settings['strategy'] })
            }
          >
            {STRATEGIES.map((one) => (
              <option key={one} value={one}>
                {t(`play.strategy.${one}`)}
              </option>
            ))}
          </select>
        </label>
        {strategy !== 'h2' && (
          <>
            <Slider
              label={t('play.max')}
              value={max}
              from={100}
              to={3000}
              step={50}
              onChange={(value) => onSettings({ ...settings, max: value })}
            />
            <Slider
              label={t('play.min')}
              value={min}
              from={0}
              to={800}
              step={20}
              onChange={(value) => onSettings({ ...settings, min: value })}
            />
            <Slider
              label={t('play.overlap')}
              value={overlap}
              from={0}
              to={0.5}
              step={0.05}
              onChange={(value) => onSettings({ ...settings, overlap: value })}
            />
          </>
        )}
      </div>
      {problem && <ProblemBox problem={problem} again={again} />}
      {answer && (
        <>
          <p class="hint" aria-live="polite">
            {t('play.result', { count: answer.chunks.length, mean })}
          </p>
          <ScrollRegion class="pieces-box" label={t('document.passages')}>
            <ol class="pieces">
              {answer.chunks.slice(0, SHOWN).map((chunk, at) => (
                <Piece
                  key={chunk.chunk_index}
                  text={answer.text}
                  chunk={chunk}
                  before={answer.chunks[at - 1]}
                />
              ))}
            </ol>
          </ScrollRegion>
        </>
      )}
    </section>
  );
}

function Piece({
  text,
  chunk,
  before,
}: {
  readonly text: string;
  readonly chunk: Cut['chunks'][number];
  readonly before: Cut['chunks'][number] | undefined;
}) {
  const { start_position: from, end_position: to } = chunk;
  const repeated = Math.max(0, Math.min(to, before?.end_position ?? 0) - from);
  return (
    <li class={chunk.chunk_index % 2 === 0 ? 'even' : 'odd'}>
      <p class="about">
        <b>{chunk.chunk_index + 1}</b> {chunk.title_path.map(titleText).join(' › ')}
        <span class="space" />
        {to - from} · {chunk.content_type}
      </p>
      <p class="content">
        {repeated > 0 && <span class="repeated">{plain(text.slice(from, from + repeated))}</span>}
        {plain(text.slice(from + repeated, to))}
      </p>
    </li>
  );
}

function Slider({
  label,
  value,
  from,
  to,
  step,
  onChange,
}: {
  readonly label: string;
  readonly value: number;
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly onChange: (value: number) => void;
}) {
  return (
    <label class="slider">
      <span>
        {label} <output>{step < 1 ? `${Math.round(value * 100)} %` : value}</output>
      </span>
      <input
        type="range"
        min={from}
        max={to}
        step={step}
        value={value}
        onInput={(event) => onChange(Number(event.currentTarget.value))}
      />
    </label>
  );
}
