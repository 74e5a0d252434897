import type { EmbedReport } from '../../engine/embed-behind.js';
import type { View } from '../operation.js';
import { plural } from '../terminal.js';

export function renderEmbed({ embedded, remaining }: EmbedReport, view: View): string {
  if (view.quiet) return '';
  const rest = remaining === 0 ? 'none is missing' : `${plural(remaining, 'passage')} still without`;
  return `Made ${plural(embedded, 'vector')}; ${rest}.`;
}
