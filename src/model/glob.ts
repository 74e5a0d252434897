/** `**` crosses folders, `*` and `?` do not; `**` with a slash behind it also stands for no folder at all. */
export type GlobToken = '*' | '**' | '**/' | '?' | number | ((character: number) => boolean);

const SLASH = 47;

/** Whether a path, or a folder above it, matches a glob. A glob without `/` is matched against names. */
export function globMatcher(glob: string): (path: string) => boolean {
  const parts = glob.match(/\*\*\/|\*{1,2}|[^*]/gsu) ?? [];
  const tokens = parts.map((part): GlobToken => {
    return part === '**/' || part === '**' || part === '*' || part === '?' ? part : part.codePointAt(0)!;
  });
  if (!glob.includes('/')) tokens.unshift('**/');
  return tokenMatcher(tokens, { orFolderAbove: true });
}

/**
 * All places in the glob that the path may have reached are followed together, character by character, so the time is
 * at most their product and never more. A regular expression backtracks: seventeen characters of `*?*?…` took it 20 s.
 */
export function tokenMatcher(
  given: readonly GlobToken[],
  { orFolderAbove }: { readonly orFolderAbove: boolean },
): (path: string) => boolean {
  // Stars in a row mean what the strongest of them means: the glob is no longer than the path it can match.
  const tokens = given.filter((token, at) => !(token === given[at + 1] && mayBeNothing(token)));
  const end = tokens.length;
  const shortest = tokens.filter((token) => !mayBeNothing(token)).length;
  let reached = new Uint8Array(end + 1);
  let next = new Uint8Array(end + 1);
  const enter = (places: Uint8Array, from: number): void => {
    for (let at = from; places[at] === 0; at++) {
      places[at] = 1;
      if (!mayBeNothing(tokens[at])) return;
    }
  };
  const step = (at: number, character: number): void => {
    const token = tokens[at]!;
    const isName = character !== SLASH;
    if (token === '**') enter(next, at);
    else if (token === '*') isName && enter(next, at);
    else if (token === '**/') {
      // Inside a folder's name: it ends with the slash only.
      if (!isName) enter(next, at + 1);
      next[at] = 1;
    } else if (
      typeof token === 'number' ? token === character : isName && (token === '?' || token(character))
    )
      enter(next, at + 1);
  };
  return (path) => {
    if (path.length < shortest) return false;
    reached.fill(0);
    enter(reached, 0);
    for (const letter of path) {
      const character = letter.codePointAt(0)!;
      if (orFolderAbove && reached[end] === 1 && character === SLASH) return true;
      next.fill(0);
      let first = reached.indexOf(1);
      if (first < 0) return false;
      for (; first < end; first++) if (reached[first] === 1) step(first, character);
      [reached, next] = [next, reached];
    }
    return reached[end] === 1;
  };
}

const mayBeNothing = (token: GlobToken | undefined): boolean =>
  token === '*' || token === '**' || token === '**/';
