import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { StrataError } from '../model/errors.js';

/**
 * Which addresses a page may be fetched from. A web address can be written by someone else (a link, an agent's idea), and
 * this machine can reach what they cannot: itself, the local network, a cloud's metadata service. Those are refused
 * unless the host was allowed by name.
 */
export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

export interface AddressOptions {
  /** Hosts or addresses that may be fetched though they are private; `*` for all. */
  readonly allow?: readonly string[];
  /** How names become addresses; the system's resolver unless given. */
  readonly resolve?: (host: string) => Promise<readonly Address[]>;
}

/** Not global, by the special-purpose registries of IANA (RFC 6890 and after); 6to4 and Teredo lead to IPv4. */
const SPECIAL = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  SPECIAL.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const) {
  SPECIAL.addSubnet(network, bits, 'ipv6');
}
/** All of IPv6 that has been given out as public addresses; the rest is mapped, translated, local or not yet anything. */
const UNICAST = new BlockList();
UNICAST.addSubnet('2000::', 3, 'ipv6');

/** Whether an address leads to this machine or a network that is not the internet. */
export function isPrivate(address: string): boolean {
  const plain = address.split('%', 1)[0]!;
  const family = isIP(plain);
  if (family === 4) return SPECIAL.check(plain, 'ipv4');
  return family === 0 || !UNICAST.check(plain, 'ipv6') || SPECIAL.check(plain, 'ipv6');
}

/** The addresses of a host that may be connected to. FORBIDDEN where all are private and none is allowed. */
export async function reachableAddresses(host: string, options: AddressOptions): Promise<readonly Address[]> {
  const bare = host.replace(/^\[|\]$/g, '');
  const literal = isIP(bare);
  const addresses: readonly Address[] =
    literal !== 0
      ? [{ address: bare, family: literal as 4 | 6 }]
      : await (options.resolve ?? resolveName)(bare);
  const allow = options.allow ?? [];
  const isAllowed = ({ address }: Address): boolean =>
    allow.some((name) => name === '*' || name.toLowerCase() === bare.toLowerCase() || name === address);
  const reachable = addresses.filter((address) => isAllowed(address) || !isPrivate(address.address));
  if (reachable.length > 0) return reachable;
  if (addresses.length === 0) throw new StrataError('FETCH_FAILED', `the host ${bare} has no address`);
  throw new StrataError(
    'FORBIDDEN',
    `the host ${bare} is on this machine or a private network (${addresses[0]!.address}); allow it by name to fetch it`,
  );
}

async function resolveName(host: string): Promise<readonly Address[]> {
  try {
    return (await lookup(host, { all: true })) as Address[];
  } catch (error) {
    throw new StrataError('FETCH_FAILED', `the host ${host} is not known`, { cause: error });
  }
}
