import type { TrustReport } from '../../engine/trust/manage.js';
import { colours } from '../cli/terminal.js';
import type { View } from '../operation.js';

export function renderTrust({ action, library, agreements }: TrustReport, view: View): string {
  const paint = colours(view);
  if (agreements.length === 0) return view.quiet ? '' : nothing(action, library);
  const taken = action === 'remove' ? ' (taken back)' : '';
  return agreements
    .map((one) => `${one.about.padEnd(8)}  ${one.value}  ${paint.dim(`${one.library}${taken}`)}`)
    .join('\n');
}

function nothing(action: TrustReport['action'], library: string | null): string {
  if (action === 'list') return 'You have agreed to nothing: every library is used as data only.';
  if (action === 'remove') return `${library}: there was nothing that you had agreed to.`;
  return `${library}: asks for nothing that needs your agreement.`;
}
