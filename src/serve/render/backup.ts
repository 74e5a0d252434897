import type { BackupReport, RestoreReport } from '../../engine/backup.js';
import { plural } from '../cli/terminal.js';
import type { View } from '../operation.js';

export function renderBackup({ destination, documents, chunks, bytes }: BackupReport, view: View): string {
  if (view.quiet) return '';
  const size = `${(bytes / 2 ** 20).toFixed(1)} MB`;
  return `Copied ${plural(documents, 'document')}, ${plural(chunks, 'passage')}, ${size} to ${destination}`;
}

export function renderRestore({ location, documents, chunks, replaced }: RestoreReport, view: View): string {
  if (view.quiet) return '';
  const aside =
    replaced === null ? '' : `\nWhat was there before is in ${replaced}; delete it when all is well.`;
  return `Restored ${plural(documents, 'document')}, ${plural(chunks, 'passage')} to ${location}${aside}`;
}
