import type { LibraryStatus } from '../../engine/library.js';
import { colours, thousands } from '../cli/terminal.js';
import type { View } from '../operation.js';

export function renderStatus(status: LibraryStatus, view: View): string {
  const paint = colours(view);
  const { settings, vectors } = status;
  const facts: [string, string][] = [
    ['Library', status.location],
    ['Store', status.driver],
    ['Documents', thousands(status.documents)],
    ['Passages', thousands(status.chunks)],
    [
      'Cut by',
      `${settings.strategy}, ${settings.min}–${settings.max ?? '∞'} characters, overlap ${settings.overlap}`,
    ],
    ['Meaning', meaning(vectors)],
  ];
  return facts.map(([name, value]) => `${paint.dim(name.padEnd(10))} ${value}`).join('\n');
}

function meaning({ model, dimensions, embedded, pending, reason }: LibraryStatus['vectors']): string {
  if (model === null) return `off: ${reason ?? 'no model'}; search goes by words`;
  const total = embedded + pending;
  const share = total === 0 ? 100 : Math.floor((100 * embedded) / total);
  const rest = pending > 0 ? `; ${pending} left, \`strata embed\` goes on` : '';
  return `${model} (${dimensions} dimensions), ${share} % of the passages${rest}${reason ? `; ${reason}` : ''}`;
}
