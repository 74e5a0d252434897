import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { formatOf, PARSERS, parseDocument } from './parse.js';
import { DEFAULT_LIMITS } from './parser.js';

const of = (name: string, content: string | Uint8Array): string =>
  formatOf({ name, bytes: Buffer.from(content) });

describe('formats', () => {
  it.each(PARSERS.map((registered) => [registered.format, registered] as const))(
    'the registry says of %s what its parser says',
    async (format, registered) => {
      const parser = await registered.load();
      expect(parser.format).toBe(format);
      expect(parser.extensions).toEqual(registered.extensions);
      expect(parser.isolated ?? false).toBe(registered.isolated ?? false);
    },
  );

  it('no two formats claim one extension', () => {
    const all = PARSERS.flatMap(({ extensions }) => extensions);
    expect(all.filter((extension, at) => all.indexOf(extension) !== at)).toEqual([]);
  });

  it('content decides before the name', () => {
    const docx = zipSync({ 'word/document.xml': strToU8('<x/>') });
    const ole = Buffer.from('d0cf11e0a1b11ae1', 'hex');
    expect(of('report.txt', docx)).toBe('docx');
    expect(of('report.txt', '%PDF-1.7')).toBe('pdf');
    expect(of('report.docx', ole)).toBe('ole');
    expect(of('page', '\ufeff <!DOCTYPE html><p>')).toBe('html');
    expect(of('saved.doc', '<html><body>')).toBe('html');
    expect(of('tool', '#!/usr/bin/env python3\n')).toBe('code');
    expect(of('notes.txt', 'a < b')).toBe('text');
    expect(of('a.TS', 'x')).toBe('code');
  });

  it('S2.4 a failure in text is reported by its code', async () => {
    const parse = (name: string, bytes: Uint8Array) => parseDocument({ name, bytes, limits: DEFAULT_LIMITS });
    await expect(parse('a.ts', Buffer.from([0, 1, 2, 3, 0xff, 0, 0, 9, 1, 1, 1, 1]))).rejects.toMatchObject({
      code: 'BINARY',
    });
    await expect(parse('a.docx', Buffer.from('text'))).rejects.toMatchObject({ code: 'CORRUPT' });
    await expect(parse('old.doc', Buffer.from('no Word at all'))).rejects.toMatchObject({ code: 'CORRUPT' });
  });
});
