import type { Library } from '../../../engine/library.js';
import { reasonOf } from '../../../model/errors.js';
import { flag, optionalText } from '../../fields.js';
import type { ViewContext } from '../served.js';
import { view } from './view.js';

interface Watched {
  readonly stop: AbortController;
  done: Promise<void>;
  state: 'catching' | 'following' | 'ended';
  reason?: string;
}

/** Folders that this process follows, by library; they end with the server. */
const followed = new WeakMap<Library, Map<string, Watched>>();

function foldersOf(library: Library): Map<string, Watched> {
  const known = followed.get(library) ?? new Map<string, Watched>();
  followed.set(library, known);
  return known;
}

export const watchView = view({
  name: 'watch',
  summary: 'Keep the library in step with a folder while this server runs, or stop doing so',
  description:
    'Without `folder`: which folders are followed now. As `strata watch`, so only the user who runs the program may ask (the page that `strata open` opens).',
  access: 'owner',
  input: {
    folder: optionalText('A folder of this machine, absolute or below the library’s root', {
      longest: 4096,
    }),
    stop: flag('No longer'),
  },
  output: ({ z }) =>
    z.object({
      watching: z.array(
        z.object({
          folder: z.string(),
          state: z.enum(['catching', 'following', 'ended']),
          reason: z.string().optional(),
        }),
      ),
    }),
  handler: async (library, { folder, stop }, context) => {
    const folders = foldersOf(library);
    if (folder !== undefined) {
      const { folderToWatch } = await import('../../../ingest/watch.js');
      const place = folders.has(folder) ? folder : await folderToWatch(folder, library.root);
      if (stop) await end(folders, place);
      else if ((folders.get(place)?.state ?? 'ended') === 'ended')
        folders.set(place, await follow(library, place, context));
    }
    const watching = [...folders].map(([place, { state, reason }]) => ({
      ...{ folder: place, state },
      ...(reason !== undefined && { reason }),
    }));
    return { watching };
  },
});

/** Ends whatever is followed for this library; the change at hand is finished first. */
export async function stopFollowing(library: Library): Promise<void> {
  const folders = foldersOf(library);
  await Promise.all([...folders.keys()].map((place) => end(folders, place)));
}

async function end(folders: Map<string, Watched>, place: string): Promise<void> {
  const watched = folders.get(place);
  folders.delete(place);
  watched?.stop.abort();
  await watched?.done;
}

async function follow(
  library: Library,
  place: string,
  { embedBehind, notice }: Pick<ViewContext, 'embedBehind' | 'notice'>,
): Promise<Watched> {
  const { watch } = await import('../../../ingest/watch.js');
  const watched: Watched = { stop: new AbortController(), done: Promise.resolve(), state: 'catching' };
  const following = watch(library, place, {
    signal: watched.stop.signal,
    embed: false,
    onEntry: () => embedBehind(library),
    onNotice: notice,
    onReady: () => {
      watched.state = 'following';
    },
  });
  watched.done = following
    .catch((error: unknown) => {
      watched.reason = reasonOf(error);
    })
    .finally(() => {
      watched.state = 'ended';
    });
  return watched;
}
