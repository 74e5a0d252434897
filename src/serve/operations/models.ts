import { optionalText, optionalTexts, textOr } from '../fields.js';
import { operation } from '../operation.js';

export const models = operation({
  name: 'models',
  summary: 'List, fetch or remove the models for search by meaning',
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
  output: 'models',
  examples: [
    { command: 'strata models', explanation: 'which there are, with licences, and which are here' },
    { command: 'strata models pull', explanation: 'fetch the default models now' },
    { command: 'strata models pull --from /mnt/usb', explanation: 'without a network' },
  ],
  handler: async (_, { action, names, from }, { signal, progress, notice }) => {
    const { manageModels } = await import('../../engine/embedding/models.js');
    return manageModels(action, names ?? [], { from, signal, onProgress: progress, onNotice: notice });
  },
  render: async () => (await import('../render/models.js')).renderModels,
});
