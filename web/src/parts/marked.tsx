import { plain } from './plain.js';

/** A text with some of its spans marked. */
export function Marked({
  text,
  matches,
}: {
  readonly text: string;
  readonly matches: readonly (readonly [number, number])[];
}) {
  const parts = [];
  let at = 0;
  for (const [start, end] of matches) {
    if (start < at || end > text.length) continue;
    if (start > at) parts.push(plain(text.slice(at, start)));
    parts.push(<mark key={`${start}`}>{plain(text.slice(start, end))}</mark>);
    at = end;
  }
  if (at < text.length) parts.push(plain(text.slice(at)));
  return <>{parts}</>;
}
