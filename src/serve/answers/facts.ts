import { type Colours, displayWidth, padEnd } from '../cli/terminal.js';
import { say } from '../language/language.js';

/** `Documents  22`: names in the person's language, values in one column. */
export function factLines(
  facts: readonly (readonly [name: string, value: string])[],
  paint: Colours,
): string[] {
  const named = facts.map(([name, value]) => [say(name), value] as const);
  const width = Math.max(...named.map(([name]) => displayWidth(name)));
  return named.map(([name, value]) => `${paint.dim(padEnd(name, width))}  ${value}`);
}
