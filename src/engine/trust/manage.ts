import { formatEmbedderSpec, isEmbedderSpec, parseEmbedderSpec } from '../../embed/spec.js';
import { staysHere } from '../../embed/stays-here.js';
import { StrataError } from '../../model/errors.js';
import type { Backend } from '../../store/backend.js';
import { libraryTarget, outboxNotes } from '../../store/outbox.js';
import { readConfig } from '../config.js';
import { isLibrary, openBackend } from '../drivers.js';
import { EMBEDDER_RECORDS } from '../embedding/embedders.js';
import type { LibraryOptions } from '../library.js';
import { locate } from '../locate.js';
import { mirrorSpec } from '../mirror/open-mirror.js';
import { keptSettings } from '../settings.js';
import { type Agreement, changeAgreements, readAgreements } from './agreements.js';
import { refuseLink, refuseOthers } from './own.js';
import { LibraryTrust, ownPath, realPath } from './trust.js';

export const TRUST_ACTIONS = ['add', 'list', 'remove'] as const;
export type TrustAction = (typeof TRUST_ACTIONS)[number];

export interface TrustReport {
  readonly action: TrustAction;
  /** The library meant; for `list`, all of them. */
  readonly library: string | null;
  /** `add`: what is agreed to now. `remove`: what no longer is. */
  readonly agreements: readonly Agreement[];
}

/** What the user has agreed to, outside every library: look, agree, take back. */
export async function manageTrust(action: TrustAction, options: LibraryOptions): Promise<TrustReport> {
  if (action === 'list') return { action, library: null, agreements: await readAgreements() };
  const { location, root } = await locate(options);
  const library = realPath(location);
  if (action === 'remove') {
    const isMeant = (one: Agreement): boolean => [library, ownPath(location)].includes(one.library);
    const agreements = (await readAgreements()).filter(isMeant);
    if (agreements.length > 0) {
      await changeAgreements((all) => all.filter((one) => !isMeant(one)));
    }
    return { action, library, agreements };
  }
  if (!isLibrary(location))
    throw new StrataError('NOT_FOUND', `${location}: there is no library to trust; name one with --library`);
  const onConsent = async () => true;
  await refuseLink(location, { onConsent });
  const trust = new LibraryTrust(location, { onConsent });
  await refuseOthers(location, trust);
  const config = await readConfig(root);
  const configured = config.store;
  const backend = await openBackend(undefined, location, { location, create: false, configured, trust });
  try {
    for (const spec of await remoteEmbedders(backend, config.embedder)) await trust.require('embedder', spec);
    for (const spec of await mirrors(backend)) await trust.require('vectors', spec);
  } finally {
    await backend.close();
  }
  return {
    action,
    library,
    agreements: [...(await agreementsOfLink(location)), ...(await trust.agreements())],
  };
}

const agreementsOfLink = async (location: string): Promise<readonly Agreement[]> =>
  ownPath(location) === realPath(location) ? [] : new LibraryTrust(location, { isLink: true }).agreements();

/** Where its tools, the library as a whole, or what is still to be sent have vectors. */
async function mirrors(backend: Backend): Promise<ReadonlySet<string>> {
  const whole = await libraryTarget(backend);
  const tools = (await backend.records('tool')).map(
    ({ value }) =>
      (value as { vectors?: { turbopuffer_namespace?: unknown } })?.vectors?.turbopuffer_namespace,
  );
  const sent = (await outboxNotes(backend)).map(({ target }) => target.namespace);
  const named = [whole?.namespace, ...tools, ...sent].filter((one) => typeof one === 'string');
  return new Set(named.map(mirrorSpec));
}

/** Those that the project's file, the library's settings and its vectors name. */
async function remoteEmbedders(
  backend: Backend,
  configured: string | undefined,
): Promise<ReadonlySet<string>> {
  const { embedder } = await keptSettings(backend);
  const made = (await backend.records(EMBEDDER_RECORDS)).map(
    ({ value }) => (value as { spec?: unknown })?.spec,
  );
  const named = [configured, embedder, ...made]
    .filter((spec) => typeof spec === 'string')
    .filter(isEmbedderSpec);
  const specs = named.map((spec) => parseEmbedderSpec(spec, process.env)).filter((spec) => !staysHere(spec));
  return new Set(specs.map(formatEmbedderSpec));
}
