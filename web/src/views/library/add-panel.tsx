import { useRef, useState } from 'preact/hooks';
import { asProblem } from '../../answer.js';
import { call, type Progress, upload } from '../../api.js';
import { type Translate, useT } from '../../i18n/i18n.js';
import { oneLine } from '../../parts/plain.js';
import { type DroppedFile, droppedFiles } from './dropped-files.js';

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
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [over, setOver] = useState(false);
  const [address, setAddress] = useState('');
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const say = (more: readonly Line[]): void =>
    setLines((before) => [...more, ...before].slice(0, MOST_LINES));

  const addFiles = async (dropped: readonly DroppedFile[]): Promise<void> => {
    for (const [at, { name, file }] of dropped.entries()) {
      setProgress({ stage: t('library.adding', { name: oneLine(name) }), done: at, total: dropped.length });
      try {
        say(linesOf(await upload<Report>(name, file), t, name));
      } catch (error) {
        say([{ text: t('library.failed', { name, reason: asProblem(error).message }), isBad: true }]);
      }
    }
    setProgress(null);
  };
  const addAddress = async (event: Event): Promise<void> => {
    event.preventDefault();
    const path = address.trim();
    if (path === '') return;
    setProgress({ stage: t('library.adding', { name: path }), done: 0 });
    try {
      say(
        linesOf(
          await call<Report>('add', { paths: [path], embed: false }, { onProgress: setProgress }),
          t,
          path,
        ),
      );
      setAddress('');
      void call('embed').catch(() => {});
    } catch (error) {
      say([{ text: t('library.failed', { name: path, reason: asProblem(error).message }), isBad: true }]);
    }
    setProgress(null);
  };
  const chosen = (input: HTMLInputElement): void => {
    const list = [...(input.files ?? [])].map((file) => ({
      name: file.webkitRelativePath || file.name,
      file,
    }));
    input.value = '';
    void addFiles(list);
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
        if (event.dataTransfer) void droppedFiles(event.dataTransfer).then(addFiles);
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
      </form>
      <div class="said" aria-live="polite">
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

function linesOf({ entries, unchanged }: Report, t: Translate, name: string): Line[] {
  const lines = entries.map(({ outcome, source_path, chunk_count = 0, reason = '' }) => {
    const isBad = outcome === 'failed' || outcome === 'skipped';
    return isBad
      ? { text: t('library.failed', { name: source_path, reason }), isBad }
      : { text: t('library.added', { name: source_path, count: chunk_count }), isBad };
  });
  return lines.length === 0 && unchanged > 0
    ? [{ text: `${name}: ${t('state.same')}`, isBad: false }]
    : lines;
}
