import type { ModelsReport } from '../../engine/embedding/models.js';
import { colours } from '../cli/terminal.js';
import type { View } from '../operation.js';

export function renderModels({ action, models }: ModelsReport, view: View): string {
  const paint = colours(view);
  if (action === 'path') return models.map(({ path }) => path).join('\n');
  if (view.quiet && action !== 'list') return '';
  const width = Math.max(...models.map(({ name }) => name.length));
  return models
    .map(({ name, about, licence, authors, dimensions, bytes, present }) => {
      const size = `${Math.round(bytes / 1e6)} MB`;
      const here = present ? paint.green('here') : paint.dim('not here');
      return `${name.padEnd(width)}  ${licence.padEnd(10)}  ${size}  ${dimensions} dimensions  ${here}  ${paint.dim(`${about}; by ${authors}`)}`;
    })
    .join('\n');
}
