import type { RebuildReport } from '../../engine/library.js';
import { plural } from '../cli/terminal.js';
import type { View } from '../operation.js';

export function renderRebuild(report: RebuildReport, view: View): string {
  if (view.quiet) return '';
  const { kept, added, removed } = report.chunks;
  const passages = `${kept} passages kept, ${added} new, ${removed} gone`;
  const end = report.interrupted ? ' Interrupted: run it again for the rest.' : '';
  return `Rebuilt ${plural(report.documents, 'document')}: ${passages}.${end}`;
}
