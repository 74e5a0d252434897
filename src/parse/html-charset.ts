/** How far into a page browsers look for its own word on its encoding (WHATWG HTML 13.2.3.2; some pages need more). */
const PRESCAN = 4096;

/** The encoding a page declares in `<meta>` or its XML declaration, as a label TextDecoder knows. */
export function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, PRESCAN)).toString('latin1');
  const label =
    /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1] ??
    /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1];
  return label === undefined ? undefined : knownCharset(label);
}

/** A label as TextDecoder writes it; undefined for what it does not know. */
export function knownCharset(label: string): string | undefined {
  try {
    const { encoding } = new TextDecoder(label);
    // A page whose declaration can be read byte by byte is not UTF-16 (WHATWG says the same); GBK is a part of GB18030.
    if (encoding.startsWith('utf-16')) return 'utf-8';
    return encoding === 'gbk' ? 'gb18030' : encoding;
  } catch {
    return undefined;
  }
}

/** The text if every byte fits the encoding, else undefined. */
export function decodeExactly(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
