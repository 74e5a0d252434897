import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { networkDrive, networkFuse } from './drive.js';

const MOUNTS = [
  '/dev/sda1 / ext4 rw 0 0',
  'me@host:/docs /home/me/remote\\040docs fuse.sshfs rw 0 0',
  '/dev/sdb1 /home/me/remote\\040docs/stick fuseblk rw 0 0',
  'server:/x /home/me/r fuse.rclone rw 0 0',
].join('\n');

describe('network drives', () => {
  it('B6 a FUSE mount is remote or local by its innermost type', () => {
    expect(networkFuse('/home/me/remote docs/library', MOUNTS)).toBe('sshfs');
    expect(networkFuse('/home/me/remote docs', MOUNTS)).toBe('sshfs');
    expect(networkFuse('/home/me/remote docs/stick/library', MOUNTS)).toBeNull();
    expect(networkFuse('/home/me/remote', MOUNTS)).toBeNull();
    expect(networkFuse('/home/me/r/library', MOUNTS)).toBe('rclone');
  });

  it('B6 a local folder, and one that is not there, give no warning', async () => {
    expect(await networkDrive(tmpdir())).toBeNull();
    expect(await networkDrive('/no/such/folder')).toBeNull();
  });
});
