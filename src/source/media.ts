import { extname } from 'node:path';

/**
 * Pictures, sound, film, fonts, archives and programs: what stands beside documents and holds no text. Known by name
 * *and* content, so that a damaged or misnamed file is still reported as such.
 */
const MEDIA: readonly (readonly [kind: string, extensions: RegExp, starts: RegExp])[] = [
  [
    'a picture',
    /^\.(png|jpe?g|gif|webp|bmp|ico|tiff?|heic|avif|psd)$/,
    /^(\x89PNG|\xff\xd8\xff|GIF8|RIFF....WEBP|BM|\0\0\x01\0|II\*\0|MM\0\*|8BPS|....ftyp)/s,
  ],
  ['a drawing', /^\.svg$/, /^\s*(<\?xml|<!--|<svg|<!DOCTYPE svg)/i],
  ['sound', /^\.(mp3|wav|ogg|flac|m4a|aac|opus)$/, /^(ID3|\xff[\xe0-\xff]|RIFF....WAVE|OggS|fLaC|....ftyp)/s],
  ['a film', /^\.(mp4|m4v|mov|webm|mkv|avi)$/, /^(....ftyp|\x1aE\xdf\xa3|RIFF....AVI )/s],
  ['a font', /^\.(woff2?|ttf|otf|eot)$/, /^(wOFF|wOF2|\0\x01\0\0|true|OTTO|[\s\S]{34}LP)/],
  [
    'an archive',
    /^\.(zip|gz|tgz|bz2|xz|7z|rar|jar|whl|zst)$/,
    /^(PK|\x1f\x8b|BZh|\xfd7zXZ|7z\xbc\xaf|Rar!|\x28\xb5\x2f\xfd)/,
  ],
  ['an archive', /^\.tar$/, /^[\s\S]{257}ustar/],
  [
    'a program',
    /^\.(exe|dll|so|dylib|wasm|class|pyc|o|a|node)$/,
    /^(MZ|\x7fELF|\0asm|\xca\xfe\xba\xbe|[\xcf\xce]\xfa\xed\xfe|!<arch>|[\s\S]{2}\r\n)/,
  ],
];

/** `a picture`, `an archive`, … or null for what may be a document. */
export function mediaKind(name: string, bytes: Uint8Array): string | null {
  const extension = extname(name).toLowerCase();
  const candidates = MEDIA.filter(([, extensions]) => extensions.test(extension));
  if (candidates.length === 0) return null;
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 512)).toString(
    'latin1',
  );
  return candidates.find(([, , starts]) => starts.test(head))?.[0] ?? null;
}
