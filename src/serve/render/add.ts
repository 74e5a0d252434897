import type { AddEntry, AddReport } from '../../engine/library.js';
import { type Colours, colours, oneLine, plural, thousands } from '../cli/terminal.js';
import type { View } from '../operation.js';

/** Names listed before the rest is only counted; `--json` has them all. */
const LISTED = 20;

export function renderAdd(report: AddReport, view: View): string {
  if (view.quiet) return '';
  const paint = colours(view);
  const lines: string[] = [];
  const shown = report.dry_run ? report.entries : report.entries.filter(isWorthNaming);
  const names = shown.filter((entry) => entry.outcome !== 'failed' && entry.outcome !== 'skipped');
  for (const entry of names.slice(0, report.dry_run ? names.length : LISTED)) lines.push(line(entry, paint));
  if (!report.dry_run && names.length > LISTED) lines.push(paint.dim(`  and ${names.length - LISTED} more`));
  for (const { source_path, warnings } of report.entries) {
    for (const warning of warnings ?? [])
      lines.push(paint.yellow(`! ${oneLine(source_path)}: ${oneLine(warning)}`));
  }
  const skipped = report.entries.filter((entry) => entry.outcome === 'skipped');
  for (const { source_path, reason } of skipped.slice(0, LISTED)) {
    lines.push(paint.dim(`  skipped ${oneLine(source_path)}: ${reason}`));
  }
  if (skipped.length > LISTED) lines.push(paint.dim(`  and ${skipped.length - LISTED} more`));
  lines.push(summary(report));
  return lines.join('\n');
}

/** A first add would list every file; what happened to files known before is what people want to see. */
const isWorthNaming = (entry: AddEntry): boolean =>
  entry.outcome === 'renamed' || entry.outcome === 'removed';

const MARKS: Readonly<Record<string, string>> = { added: '+', changed: '~', renamed: '→', removed: '-' };

function line(entry: AddEntry, paint: Colours): string {
  const path = oneLine(entry.source_path);
  const name = entry.from === undefined ? path : `${oneLine(entry.from)} → ${path}`;
  return paint.dim(`${MARKS[entry.outcome] ?? ' '} ${name}`);
}

function summary(report: AddReport): string {
  const counts = (['added', 'changed', 'renamed', 'unchanged', 'removed', 'skipped', 'failed'] as const)
    .filter((outcome) => report[outcome] > 0 || outcome === 'added')
    .map((outcome) => `${thousands(report[outcome])} ${outcome}`);
  const vectors = report.embedded > 0 ? `, ${plural(report.embedded, 'vector')}` : '';
  const passages = report.dry_run ? '' : ` (${plural(report.chunks.added, 'new passage')}${vectors})`;
  const start = report.dry_run ? 'Would be: ' : '';
  const end = report.interrupted ? ' Interrupted: run it again for the rest.' : '';
  return `${start}${counts.join(', ')}${passages} in ${report.seconds.toFixed(1)} s.${end}`;
}
