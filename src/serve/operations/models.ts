import type { ModelsReport } from '../../engine/embedding/models.js';
import { colours } from '../cli/terminal.js';
import { optionalText, optionalTexts, textOr } from '../fields.js';
import { say } from '../language/language.js';
import { translate } from '../language/translate.js';
import { operation, type View } from '../operation.js';

export const models = operation({
  name: 'models',
  summary: 'List, fetch or remove the models for search by meaning and for reading scans',
  description:
    'The default models are fetched when they are first needed; this does it ahead, from a folder on a machine without a network, or frees the space again. Shows each model’s licence. Models run on this machine: nothing is sent anywhere.',
  access: 'owner',
  library: 'none',
  input: {
    action: textOr('list', 'What to do', {
      choices: ['list', 'pull', 'path', 'remove'] as const,
      cli: { positional: true, value: 'ACTION' },
    }),
    names: optionalTexts('Models by name; all without one', { cli: { positional: true, value: 'MODEL' } }),
    from: optionalText('A folder or a tarball that has the files; a folder may hold the npm tarballs too', {
      cli: { value: 'PATH' },
    }),
  },
  output: ({ z }) =>
    z.object({
      action: z.string(),
      models: z.array(
        z.object({
          name: z.string(),
          kind: z.enum(['embedding', 'ocr']),
          about: z.string(),
          licence: z.string(),
          authors: z.string(),
          dimensions: z.number().optional(),
          bytes: z.number(),
          present: z.boolean(),
          path: z.string(),
          sources: z.array(z.string()),
        }),
      ),
      runtime: z
        .object({
          name: z.string(),
          licence: z.string(),
          authors: z.string(),
          bytes: z.number(),
          present: z.boolean(),
          path: z.string(),
          sources: z.array(z.string()),
        })
        .describe('What runs the models'),
    }),
  examples: [
    { command: 'strata models', explanation: 'which there are, with licences, and which are here' },
    { command: 'strata models pull', explanation: 'fetch the default models now' },
    { command: 'strata models pull --from /mnt/usb', explanation: 'without a network' },
  ],
  handler: async (_, { action, names, from }, { signal, progress, notice }) => {
    const { manageModels } = await import('../../engine/embedding/models.js');
    return manageModels(action, names ?? [], { from, signal, onProgress: progress, onNotice: notice });
  },
  render: renderModels,
});

function renderModels({ action, models, runtime }: ModelsReport, view: View): string {
  const paint = colours(view);
  if (action === 'path') return models.map(({ path }) => path).join('\n');
  if (view.quiet && action !== 'list') return '';
  const all = [...models, { ...runtime, about: 'runs the models on this machine', dimensions: undefined }];
  const width = Math.max(...all.map(({ name }) => name.length));
  return all
    .map(({ name, about, licence, authors, dimensions, bytes, present, sources }) => {
      const size = `${Math.round(bytes / 1e6)} MB`.padStart(6);
      const here = present ? paint.green(say('here')) : paint.dim(say('not here'));
      const what = [
        ...about.split('; ').map(translate),
        ...(dimensions === undefined ? [] : [say('{1} dimensions', dimensions)]),
        say('by {1}', authors),
      ].join(say('; '));
      return [
        `${name.padEnd(width)}  ${licence.padEnd(10)}  ${size}  ${here}  ${paint.dim(what)}`,
        paint.dim(say('  from {1}; verified by SHA-256', sources.join(say(', or ')))),
      ].join('\n');
    })
    .join('\n');
}
