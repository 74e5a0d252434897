import type { Staleness } from '../../model/brief.js';
import { say } from '../language/language.js';
import type { Schemas } from '../schemas.js';

/** Behind the title of a document whose file is no longer as it was when it was added. */
export const staleMark = ({ stale, gone }: Staleness): string => {
  if (!stale) return '';
  return gone ? `  [${say('its file is gone')}]` : `  [${say('changed since it was added')}]`;
};

export const staleFields = (z: Schemas['z']) => ({
  stale: z.boolean().optional().describe('The file has changed since it was added'),
  gone: z.boolean().optional().describe('The file is no longer there'),
});
