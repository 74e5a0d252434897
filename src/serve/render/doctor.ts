import type { DoctorReport } from '../../engine/doctor.js';
import { colours, oneLine } from '../cli/terminal.js';
import type { View } from '../operation.js';

export function renderDoctor({ findings, notes }: DoctorReport, view: View): string {
  const paint = colours(view);
  const repaired = findings.filter((finding) => finding.fixed);
  const open = findings.length - repaired.length;
  const lines = repaired.map(
    ({ area, message }) => `${paint.green('repaired')} ${area}: ${oneLine(message)}`,
  );
  if (open > 0) lines.push(`${open} left. \`strata doctor --fix\` repairs what can be repaired.`);
  if (findings.length === 0 && !view.quiet) lines.push('All is well.');
  if (!view.quiet) lines.push(...notes.map((note) => `${paint.dim('note')} ${oneLine(note)}`));
  return lines.join('\n');
}
