import type { EmbedReport } from '../../engine/embedding/embed-behind.js';
import { plural } from '../cli/terminal.js';
import type { View } from '../operation.js';

export function renderEmbed({ embedded, remaining }: EmbedReport, view: View): string {
  if (view.quiet) return '';
  const rest = remaining === 0 ? 'none is missing' : `${plural(remaining, 'passage')} still without`;
  return `Made ${plural(embedded, 'vector')}; ${rest}.`;
}
