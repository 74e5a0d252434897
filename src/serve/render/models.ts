import type { ModelsReport } from '../../engine/embedding/models.js';
import { colours } from '../cli/terminal.js';
import type { View } from '../operation.js';

export function renderModels({ action, models, runtime }: ModelsReport, view: View): string {
  const paint = colours(view);
  if (action === 'path') return models.map(({ path }) => path).join('\n');
  if (view.quiet && action !== 'list') return '';
  const all = [...models, { ...runtime, about: 'runs the models on this machine', dimensions: undefined }];
  const width = Math.max(...all.map(({ name }) => name.length));
  return all
    .map(({ name, about, licence, authors, dimensions, bytes, present, sources }) => {
      const size = `${Math.round(bytes / 1e6)} MB`.padStart(6);
      const here = present ? paint.green('here') : paint.dim('not here');
      const what = dimensions === undefined ? about : `${about}; ${dimensions} dimensions`;
      return [
        `${name.padEnd(width)}  ${licence.padEnd(10)}  ${size}  ${here}  ${paint.dim(`${what}; by ${authors}`)}`,
        paint.dim(`  from ${sources.join(', or ')}; verified by SHA-256`),
      ].join('\n');
    })
    .join('\n');
}
