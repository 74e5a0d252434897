import type { Library } from '../../engine/library.js';
import { reasonOf } from '../../model/errors.js';

/** On a server, what is added answers by words at once, and its vectors follow behind, one run at a time. */
export function embedBehind(log: (line: string) => void): (library: Library) => void {
  let running: Promise<void> | null = null;
  let again = false;
  return function start(library: Library): void {
    if (!library.searchesByMeaning) return;
    if (running !== null) {
      again = true;
      return;
    }
    running = library
      .embed()
      .then(
        ({ failed }) => void (failed.length > 0 && log(`${failed.length} passages could not be embedded`)),
        (error: unknown) => log(`search goes by words: ${reasonOf(error)}`),
      )
      .finally(() => {
        running = null;
        if (again) {
          again = false;
          start(library);
        }
      });
  };
}
