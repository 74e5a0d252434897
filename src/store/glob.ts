/** `**` crosses folders, `*` and `?` do not; `**` with a slash behind it also stands for no folder at all. */
type Token = '*' | '**' | '**/' | '?' | number;

const SLASH = 47;

/**
 * Whether a path, or a folder above it, matches a glob. A glob without `/` is matched against names.
 *
 * All places in the glob that the path may have reached are followed together, character by character, so the time is
 * at most their product and never more. A regular expression backtracks: seventeen characters of `*?*?…` took it 20 s.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  const tokens = tokensOf(glob);
  if (!glob.includes('/')) tokens.unshift('**/');
  const end = tokens.length;
  const shortest = tokens.filter((token) => token === '?' || typeof token === 'number').length;
  let reached = new Uint8Array(end + 1);
  let next = new Uint8Array(end + 1);
  /** What may stand for nothing is passed at once. */
  const enter = (places: Uint8Array, from: number): void => {
    for (let at = from; places[at] === 0; at++) {
      places[at] = 1;
      const token = tokens[at];
      if (token !== '*' && token !== '**' && token !== '**/') return;
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
    } else if (token === '?' ? isName : token === character) enter(next, at + 1);
  };
  return (path) => {
    if (path.length < shortest) return false;
    reached.fill(0);
    enter(reached, 0);
    for (const letter of path) {
      const character = letter.codePointAt(0)!;
      if (reached[end] === 1 && character === SLASH) return true;
      next.fill(0);
      for (let at = 0; at < end; at++) if (reached[at] === 1) step(at, character);
      [reached, next] = [next, reached];
    }
    return reached[end] === 1;
  };
}

function tokensOf(glob: string): Token[] {
  const parts = glob.match(/\*\*\/|\*{1,2}|[^*]/gsu) ?? [];
  const tokens = parts.map((part): Token => {
    return part === '**/' || part === '**' || part === '*' || part === '?' ? part : part.codePointAt(0)!;
  });
  // Stars in a row mean what the strongest of them means: the glob is no longer than the path it can match.
  return tokens.filter(
    (token, at) => !(token === tokens[at + 1] && typeof token === 'string' && token !== '?'),
  );
}
