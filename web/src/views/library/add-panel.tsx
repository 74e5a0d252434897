import { useRef, useState } from 'preact/hooks';
import { asProblem } from '../../answer.js';
import { call, type Problem, type Progress } from '../../api.js';
import { type Translate, useT } from '../../i18n/i18n.js';
import { type Said, useSaid } from '../../i18n/said.js';
import { oneLine } from '../../parts/plain.js';
import { problemWords } from '../../parts/problem-words.js';
import { droppedFiles } from './dropped-files.js';
import { useUploads } from './use-uploads.js';
import { useWatchedFolders, WatchedFolders } from './watched-folders.js';

interface Report {
  readonly entries: readonly {
    readonly outcome: string;
    readonly source_path: string;
    readonly chunk_count?: number;
    readonly reason?: string;
  }[];
  readonly unchanged: number;
}

interface Line {
  readonly text: string;
  readonly isBad: boolean;
}

const MOST_LINES = 30;

/** Drop files, a folder, or name an address: what came of each is said, one line per file. */
export function AddPanel() {
  const t = useT();
  const said = useSaid();
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [adding, setProgress] = useState<Progress | null>(null);
  const [over, setOver] = useState(false);
  const [address, setAddress] = useState('');
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const say = (more: readonly Line[]): void =>
    setLines((before) => [...more, ...before].slice(0, MOST_LINES));

  const failed = (problem: Problem, name: string): void => {
    const { what, next } = problemWords(problem, t);
    const reason = `${what} ${next} (${said(problem.message)})`;
    say([{ text: t('library.failed', { name, reason }), isBad: true }]);
  };
  const watched = useWatchedFolders();
  const uploads = useUploads<Report>((report, name) => say(linesOf(report, t, said, name)), failed);
  const addAddress = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const path = address.trim();
    if (path === '') return;
    const isFollowed = event.submitter?.getAttribute('name') === 'watch';
    setProgress({ stage: t('library.adding', { name: path }), done: 0 });
    try {
      say(
        linesOf(
          await call<Report>('add', { paths: [path], embed: false }, { onProgress: setProgress }),
          t,
          said,
          path,
        ),
      );
      if (isFollowed) await watched.follow(path);
      setAddress('');
      void call('embed').catch(() => {});
    } catch (error) {
      failed(asProblem(error), path);
    }
    setProgress(null);
  };
  const sent = uploads.current;
  const progress: Progress | null =
    sent === null
      ? adding
      : { stage: t('library.adding', { name: oneLine(sent.name) }), done: sent.at, total: sent.count };
  const chosen = (input: HTMLInputElement): void => {
    const list = [...(input.files ?? [])].map((file) => ({
      name: file.webkitRelativePath || file.name,
      file,
    }));
    input.value = '';
    uploads.add(list);
  };
  return (
    <section
      class={over ? 'add over' : 'add'}
      aria-label={t('library.add')}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (event.dataTransfer) void droppedFiles(event.dataTransfer).then(uploads.add);
      }}
    >
      <p>
        {t('library.drop')}{' '}
        <button type="button" onClick={() => files.current?.click()}>
          {t('library.choose')}
        </button>{' '}
        <button type="button" onClick={() => folder.current?.click()}>
          {t('library.choose.folder')}
        </button>
      </p>
      <input
        ref={files}
        class="hidden"
        type="file"
        multiple
        tabIndex={-1}
        aria-label={t('library.choose')}
        onChange={(event) => chosen(event.currentTarget)}
      />
      <input
        ref={folder}
        class="hidden"
        type="file"
        multiple
        tabIndex={-1}
        aria-label={t('library.choose.folder')}
        {...{ webkitdirectory: true }}
        onChange={(event) => chosen(event.currentTarget)}
      />
      <form onSubmit={(event) => void addAddress(event)}>
        <input
          type="text"
          value={address}
          aria-label={t('library.url')}
          placeholder={t('library.url')}
          maxLength={4096}
          onInput={(event) => setAddress(event.currentTarget.value)}
        />
        <button type="submit" class="main" disabled={progress !== null}>
          {t('library.add')}
        </button>
        {watched.isOffered && (
          <button type="submit" name="watch" disabled={progress !== null}>
            {t('library.watch')}
          </button>
        )}
      </form>
      <WatchedFolders watched={watched} />
      <div class="said" aria-live="polite">
        {uploads.waiting.length > 0 && (
          <p class="waiting">
            {t('library.waiting', { count: uploads.waiting.length })}{' '}
            <button type="button" class="link" onClick={uploads.again}>
              {t('problem.again')}
            </button>
          </p>
        )}
        {progress && (
          <p>
            <progress
              max={progress.total ?? 1}
              {...(progress.total !== undefined && { value: progress.done })}
              aria-label={oneLine(progress.stage)}
            />{' '}
            {oneLine(progress.stage)}
          </p>
        )}
        {lines.map((line, at) => (
          <p key={`${lines.length - at}`} class={line.isBad ? 'bad' : ''}>
            {oneLine(line.text)}
          </p>
        ))}
      </div>
    </section>
  );
}

function linesOf({ entries, unchanged }: Report, t: Translate, said: Said, name: string): Line[] {
  const lines = entries.map(({ outcome, source_path, chunk_count = 0, reason = '' }) => {
    const isBad = outcome === 'failed' || outcome === 'skipped';
    return isBad
      ? {
          text: `${t('library.failed', { name: source_path, reason: said(reason) })} ${t('library.failed.next')}`,
          isBad,
        }
      : { text: t('library.added', { name: source_path, count: chunk_count }), isBad };
  });
  return lines.length === 0 && unchanged > 0
    ? [{ text: `${name}: ${t('state.same')}`, isBad: false }]
    : lines;
}
