import type { RemoveReport } from '../../engine/library.js';
import { colours, oneLine, plural } from '../cli/terminal.js';
import type { View } from '../operation.js';

export function renderRemove(report: RemoveReport, view: View): string {
  const paint = colours(view);
  const verb = report.dry_run ? 'Would remove' : 'Removed';
  const total = `${verb} ${plural(report.removed.length, 'document')}.`;
  if (view.quiet) return '';
  return [...report.removed.map(({ source_path }) => paint.dim(`- ${oneLine(source_path)}`)), total].join(
    '\n',
  );
}
