import { useAnswer } from '../../answer.js';
import { call } from '../../api.js';
import { useT } from '../../i18n/i18n.js';
import { useSaid } from '../../i18n/said.js';
import { oneLine } from '../../parts/plain.js';

interface Watched {
  readonly watching: readonly {
    readonly folder: string;
    readonly state: 'catching' | 'following' | 'ended';
    readonly reason?: string;
  }[];
}

export interface WatchedList {
  /** Only whoever runs the program may have a folder of the machine followed. */
  readonly isOffered: boolean;
  readonly folders: Watched['watching'];
  follow(folder: string): Promise<void>;
  stop(folder: string): Promise<void>;
}

export function useWatchedFolders(): WatchedList {
  const { answer, again } = useAnswer<Watched>('watch', {}, { follows: true });
  const tell = async (input: object): Promise<void> => {
    await call('watch', input);
    again();
  };
  return {
    isOffered: answer !== null,
    folders: answer?.watching ?? [],
    follow: (folder) => tell({ folder }),
    stop: (folder) => tell({ folder, stop: true }),
  };
}

/** The folders that the server follows, each with a way to end it. */
export function WatchedFolders({ watched }: { readonly watched: WatchedList }) {
  const t = useT();
  const said = useSaid();
  if (watched.folders.length === 0) return null;
  return (
    <div class="watched">
      <p class="hint">{t('library.watching')}</p>
      <ul>
        {watched.folders.map(({ folder, state, reason = '' }) => (
          <li key={folder}>
            <code>{oneLine(folder)}</code>{' '}
            <span class={state === 'ended' ? 'badge failed' : 'badge'}>
              {t(`library.watching.${state}`, { reason: oneLine(said(reason)) })}
            </span>{' '}
            <button type="button" class="link" onClick={() => void watched.stop(folder)}>
              {t('library.watch.stop')}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
