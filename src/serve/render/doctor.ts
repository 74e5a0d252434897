import type { Finding } from '../../engine/library.js';
import type { View } from '../operation.js';
import { colours, oneLine } from '../terminal.js';

export function renderDoctor({ findings }: { findings: readonly Finding[] }, view: View): string {
  const paint = colours(view);
  if (findings.length === 0) return view.quiet ? '' : 'All is well.';
  const repaired = findings.filter((finding) => finding.fixed);
  const open = findings.length - repaired.length;
  const lines = repaired.map(
    ({ area, message }) => `${paint.green('repaired')} ${area}: ${oneLine(message)}`,
  );
  if (open > 0) lines.push(`${open} left. \`strata doctor --fix\` repairs what can be repaired.`);
  return lines.join('\n');
}
