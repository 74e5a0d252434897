import { keyIdIn, prefixOf } from '../../../tools/access/key-secret.js';
import { keyOutput, renderKeys } from '../../answers/access.js';
import { argument } from '../../fields.js';
import { operation } from '../../operation.js';

export const keyRevoke = operation({
  name: 'key-revoke',
  summary: 'End a key before it expires',
  description:
    'By its prefix as `strata key list` shows it (the whole key does, too). It is refused from the next call on, and stays in the list.',
  access: 'owner',
  overHttp: true,
  library: 'existing',
  input: { key: argument('The key’s prefix', 'PREFIX', 100) },
  output: keyOutput,
  examples: [{ command: 'strata key revoke strata_k3v9x0a1b2c3', explanation: 'refused from now on' }],
  // Somebody may give the whole key: the log gets its prefix.
  subject: ({ key }) => {
    const id = keyIdIn(key);
    return id === null ? '(no key)' : prefixOf({ id });
  },
  handler: async (library, { key }) => {
    const { accessOf } = await import('../../../tools/access/access.js');
    return accessOf(library).revokeKey(key);
  },
  render: (key, view) => (view.quiet ? '' : renderKeys([key], view)),
});
