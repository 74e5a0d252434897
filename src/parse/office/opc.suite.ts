import { strToU8, type Zippable, zipSync } from 'fflate';

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A zip of text parts, for tests of the zipped formats. */
export const zipOf = (parts: Readonly<Record<string, string>>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])) as Zippable);

/** A `.rels` part: `[id, type's last word, target]`. */
export const rels = (...entries: readonly (readonly [string, string, string])[]): string =>
  `<Relationships xmlns="${RELATIONSHIPS}">${entries
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${TYPES}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

export const CORE = (title: string): string =>
  `<cp:coreProperties xmlns:cp="a" xmlns:dc="b"><dc:title>${title}</dc:title></cp:coreProperties>`;
