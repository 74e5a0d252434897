import type { Progress } from '../../model/progress.js';
import { say } from '../language/language.js';
import { translate } from '../language/translate.js';
import { columnsOf } from './print.js';
import { displayWidth, oneLine, shorten, thousands } from './terminal.js';

/** A bar on stderr, only where a person watches. Drawn at most ten times a second, and gone when the work is done. */
export interface ProgressBar {
  show(progress: Progress): void;
  /** Take the bar away, so that something else can be printed. */
  clear(): void;
}

const SILENT: ProgressBar = { show: () => {}, clear: () => {} };
const BAR = 24;
const EVERY_MS = 100;
/** Estimates of the time left that are made earlier are far off. */
const ESTIMATE_AFTER_MS = 1500;

export function progressBar(
  stream: NodeJS.WriteStream,
  wanted: boolean,
  now: () => number = Date.now,
): ProgressBar {
  if (!wanted || !stream.isTTY || process.env.TERM === 'dumb') return SILENT;
  let stage = '';
  let started = 0;
  let drawn = 0;
  let visible = false;
  return {
    show(progress) {
      const time = now();
      if (progress.stage !== stage) {
        stage = progress.stage;
        started = time;
        drawn = 0;
      }
      const isLast = progress.total !== undefined && progress.done >= progress.total;
      if (time - drawn < EVERY_MS && !isLast) return;
      drawn = time;
      visible = true;
      stream.write(`\r${drawBar(progress, time - started, columnsOf(stream) - 1)}\x1b[K`);
    },
    clear() {
      if (visible) stream.write('\r\x1b[K');
      visible = false;
    },
  };
}

/** `Reading files ██████░░░░ 120/2,000 1:05 left docs/guide.md` */
export function drawBar(progress: Progress, elapsed_ms: number, width: number): string {
  const { stage, done, total, item } = progress;
  const parts = [oneLine(translate(stage))];
  if (total === undefined || total === 0) {
    parts.push(thousands(done));
  } else {
    const filled = Math.round((BAR * Math.min(done, total)) / total);
    parts.push('█'.repeat(filled) + '░'.repeat(BAR - filled), `${thousands(done)}/${thousands(total)}`);
    const left = remaining(done, total, elapsed_ms);
    if (left !== null) parts.push(say('{1} left', left));
  }
  const told = parts.join(' ');
  if (item === undefined) return shorten(told, width);
  return shorten(`${told} ${shortenPath(oneLine(item), width - displayWidth(told) - 1)}`, width);
}

/** The name at the end of a path tells more than the folders before it. */
function shortenPath(path: string, width: number): string {
  if (displayWidth(path) <= width) return path;
  const parts = path.split('/');
  while (parts.length > 1 && displayWidth(`…/${parts.join('/')}`) > width) parts.shift();
  return `…/${parts.join('/')}`;
}

function remaining(done: number, total: number, elapsed_ms: number): string | null {
  if (done === 0 || done >= total || elapsed_ms < ESTIMATE_AFTER_MS) return null;
  const seconds = Math.ceil(((elapsed_ms / done) * (total - done)) / 1000);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours, minutes, rest] = clock as [number, number, number];
  const two = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
