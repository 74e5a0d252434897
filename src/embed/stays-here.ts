import { MODELS } from './models/manifest.js';
import type { EmbedderSpec } from './spec.js';

/**
 * Whether an embedder uses nothing but the models Strata knows by their checksums, on this machine. Any other names an
 * address that texts are sent to, or a model of somebody's that is run: a library may not choose those by itself.
 */
export const staysHere = ({ kind, model }: EmbedderSpec): boolean =>
  kind === 'none' || (kind === 'local' && (model === undefined || MODELS.some(({ name }) => name === model)));
