import { analyze } from './analyze.js';
import { LONGEST_DEMAND, requiredTerms } from './query.js';

/** `-o` is a command's option, and so is what stands inside a question (what does java -jar do). */
const EXCLUSION = /-(?:"([^"]+)"|“([^“”]+)”|(?!-)([\p{L}\p{N}][^\s"]+|\p{Script=Han}))/u.source;
const FIRST = new RegExp(`^\\s*(?:${EXCLUSION})(?=\\s|$)`, 'u');
const LAST = new RegExp(`(?<=^|\\s)(?:${EXCLUSION})\\s*$`, 'u');

/** Each is looked up; nobody writes more. */
const MOST_EXCLUDED = 8;

/** A question without what it excludes: words and phrases behind a minus, at its beginning or its end (`-nginx`). */
export function splitExclusions(written: string): { text: string; excluded: readonly string[] } {
  const excluded: string[] = [];
  let text = written;
  for (const pattern of [LAST, FIRST]) {
    for (
      let found = pattern.exec(text);
      found !== null && excluded.length < MOST_EXCLUDED;
      found = pattern.exec(text)
    ) {
      const [whole, ...groups] = found;
      const phrase = groups.find((group) => group !== undefined)!.trim();
      const rest = text.slice(0, found.index) + text.slice(found.index + whole.length);
      if (requiredTerms(phrase).length === 0 || analyze(rest).length === 0) break;
      excluded.push(phrase);
      text = rest;
    }
  }
  const isPasted = text.trim().length > LONGEST_DEMAND;
  return isPasted || excluded.length === 0
    ? { text: written, excluded: [] }
    : { text: text.trim(), excluded };
}
