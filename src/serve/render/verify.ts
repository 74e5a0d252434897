import type { Verification } from '../../engine/verify/verify.js';
import { printable } from '../cli/print.js';
import { colours, oneLine } from '../cli/terminal.js';
import type { View } from '../operation.js';

export function renderVerify({ status, place, message, cited }: Verification, view: View): string {
  const paint = colours(view);
  const colour = { unchanged: paint.green, moved: paint.yellow, changed: paint.red, gone: paint.red }[status];
  const lines = [
    `${colour(status)} ${status === 'changed' || status === 'gone' ? '' : oneLine(message)}`.trimEnd(),
  ];
  if (view.quiet) return lines.join('\n');
  if (status === 'changed' && cited.content !== undefined)
    lines.push('', paint.dim('It was:'), printable(cited.content));
  if (status === 'changed' && place) lines.push('', paint.dim('It is now:'), printable(place.content));
  if (status === 'moved' && place) lines.push(oneLine(place.citation.ref));
  return lines.join('\n');
}
