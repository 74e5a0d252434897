import { readXml, xmlText } from './xml.js';
import type { ZipArchive } from './zip.js';

/** The packaging of DOCX, XLSX and PPTX: parts in a zip that point to each other by typed relationships. */
export interface Relationship {
  readonly id: string;
  /** The last word of the type's URL: `officeDocument`, `styles`, `slide`. The same in both variants of the standard. */
  readonly type: string;
  /** The part's name in the zip; a URL for external ones. */
  readonly target: string;
  readonly external: boolean;
}

/** The relationships of a part, or of the package itself (`''`). */
export async function relationships(zip: ZipArchive, part: string, nesting: number): Promise<Relationship[]> {
  const slash = part.lastIndexOf('/') + 1;
  const folder = part.slice(0, slash);
  const name = `${folder}_rels/${part.slice(slash)}.rels`;
  const xml = partText(zip, name);
  const found: Relationship[] = [];
  if (xml === undefined) return found;
  await readXml(xml, name, nesting, {
    open(element, attributes) {
      if (element !== 'Relationship') return;
      const { Id = '', Type = '', Target = '' } = attributes;
      const external = attributes.TargetMode === 'External';
      const target = external ? Target : resolvePart(folder, Target);
      found.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), target, external });
    },
  });
  return found;
}

/** An XML part's text without a byte order mark; undefined where there is none. Names match whatever their case. */
export function partText(zip: ZipArchive, name: string): string | undefined {
  const bytes = zip.read(zip.has(name) ? name : sameName(zip, name));
  return bytes === undefined ? undefined : xmlText(bytes);
}

const sameName = (zip: ZipArchive, name: string): string =>
  zip.names.find((candidate) => candidate.toLowerCase() === name.toLowerCase()) ?? name;

/** `../media/a.png` seen from `word/` → `media/a.png`; a leading slash starts at the package's root. */
export function resolvePart(folder: string, target: string): string {
  const path = target.startsWith('/') ? target.slice(1) : `${folder}${target}`;
  const kept: string[] = [];
  for (const step of path.split('/')) {
    if (step === '..') kept.pop();
    else if (step !== '.' && step !== '') kept.push(step);
  }
  return kept.join('/');
}

/** Title, author and dates of `docProps/core.xml`, as far as they are there. */
export async function coreProperties(zip: ZipArchive, nesting: number): Promise<Record<string, string>> {
  const xml = partText(zip, 'docProps/core.xml');
  const found: Record<string, string> = {};
  if (xml === undefined) return found;
  let field: string | undefined;
  await readXml(xml, 'docProps/core.xml', nesting, {
    open: (name) => {
      field = CORE_FIELDS[name];
    },
    text: (data) => {
      if (field !== undefined && data.trim() !== '') found[field] = ((found[field] ?? '') + data).trim();
    },
    close: () => {
      field = undefined;
    },
  });
  return found;
}

const CORE_FIELDS: Readonly<Record<string, string>> = {
  title: 'title',
  creator: 'author',
  subject: 'subject',
  keywords: 'keywords',
  description: 'description',
  created: 'created',
  modified: 'modified',
};
