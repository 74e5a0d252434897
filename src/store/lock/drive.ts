import { readFile, statfs } from 'node:fs/promises';
import { resolve, sep } from 'node:path';

/**
 * Is this folder on a network drive? Locks and renames of such drives are not always what they promise, and SQLite
 * warns of them too: a library there may be damaged when two machines write. We warn and go on, since many are fine.
 */

/** `f_type` of statfs(2), from Linux's magic.h and the file systems' own sources. */
const NETWORK_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB (CIFS)'],
  [0xfe534d42, 'SMB (CIFS)'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x564c, 'NCP'],
  [0x01021997, '9p (a shared folder)'],
]);
const FUSE_TYPE = 0x65735546;
/** FUSE is local for some (ntfs, encrypted folders) and remote for these. */
const NETWORK_FUSE =
  /^fuse\.(sshfs|s3fs|rclone|gcsfuse|goofys|davfs|curlftpfs|glusterfs|gvfsd-fuse|smbnetfs)/;

/** Its name, such as `NFS`; null for a local drive, and where the system does not say. */
export async function networkDrive(path: string): Promise<string | null> {
  try {
    if (process.platform === 'win32') return resolve(path).startsWith('\\\\') ? 'a network share' : null;
    if (process.platform !== 'linux') return null;
    const { type } = await statfs(path);
    const known = NETWORK_TYPES.get(type >>> 0) ?? null;
    if (known !== null || type !== FUSE_TYPE) return known;
    return networkFuse(resolve(path), await readFile('/proc/mounts', 'utf8'));
  } catch {
    return null;
  }
}

/** The type of the innermost FUSE mount around the path, if it is a remote one. */
export function networkFuse(path: string, mounts: string): string | null {
  let best = { point: '', type: '' };
  for (const line of mounts.split('\n')) {
    const [, raw, type] = line.split(' ');
    if (raw === undefined || type === undefined) continue;
    const point = raw.replace(/\\(\d{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    const inside = path === point || path.startsWith(point.endsWith(sep) ? point : point + sep);
    if (inside && point.length >= best.point.length) best = { point, type };
  }
  return NETWORK_FUSE.test(best.type) ? best.type.slice('fuse.'.length) : null;
}
