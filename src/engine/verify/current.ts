import { basename } from 'node:path';
import type { Placed } from '../../chunk/places.js';
import { parseTree } from '../../ingest/prepare/prepare-pool.js';
import type { Document } from '../../model/document.js';
import { reasonOf } from '../../model/errors.js';
import { CONVERTED } from '../../model/line-marks.js';
import { titlePath } from '../../model/tree.js';
import type { Backend } from '../../store/backend.js';
import { readSource } from './read-source.js';
import { type SourcePlace, sourceState } from './stale.js';

export interface CurrentSection {
  readonly title_path: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** What a document says now. */
export interface Current {
  /** `source`: as its file is now. `store`: as the library keeps it, since the file cannot be asked. */
  readonly from: 'source' | 'store';
  /** null: there is no such text any more. */
  readonly text: string | null;
  readonly sections: readonly CurrentSection[];
  /** Where its text stands in the source. */
  readonly places: Omit<Placed, 'text'>;
  /** Whether the source differs from what the library holds. */
  readonly changed: boolean;
  /** Why the source could not be asked. */
  readonly reason?: string;
}

const NOWHERE = { format: '', pages: [], source_map: { unit: null, marks: [] } } as const;

export interface ParsedPlace extends SourcePlace {
  readonly backend: Backend;
  /** In a server nothing is parsed in its own process. */
  readonly guarded: boolean;
}

export async function currentText(place: ParsedPlace, document: Document): Promise<Current> {
  const { backend, root, guarded } = place;
  const state = await sourceState(place, document);
  if (state === 'missing')
    return { from: 'source', text: null, sections: [], places: NOWHERE, changed: true };
  if (state === 'changed') {
    try {
      return await readAgain(root, document.source, guarded);
    } catch (error) {
      return { ...(await kept(backend, document)), reason: reasonOf(error) };
    }
  }
  const stored = await kept(backend, document);
  if (state === 'same') return { ...stored, from: 'source' };
  const reason = `${document.source_path} is no file that can be read here`;
  return { ...stored, reason };
}

async function readAgain(root: string, source: string, guarded: boolean): Promise<Current> {
  const bytes = await readSource(root, source);
  const tree = await parseTree({ bytes, name: basename(source) }, { guarded, orText: true });
  const sections = tree.sections.map(({ span }, index) => ({
    title_path: titlePath(tree.sections, index),
    ...span,
  }));
  return { from: 'source', text: tree.text, sections, places: tree, changed: true };
}

async function kept(backend: Backend, { id, metadata }: Document): Promise<Current> {
  const format = String(metadata.format);
  const [content, sections] = await Promise.all([backend.content(id), backend.sections(id)]);
  return {
    from: 'store',
    text: content?.text ?? null,
    sections: sections.map(({ title_path, start_position, end_position }) => ({
      title_path,
      start: start_position,
      end: end_position,
    })),
    // The library keeps the way back to the source with its chunks only.
    places: {
      format,
      pages: content?.pages ?? [],
      ...(CONVERTED.has(format) ? { source_map: NOWHERE.source_map } : {}),
    },
    changed: false,
  };
}

/** The titles above an offset: those of the innermost section around it. */
export function titlePathAt(sections: readonly CurrentSection[], at: number): readonly string[] {
  return sections.findLast(({ start, end }) => start <= at && at < end)?.title_path ?? [];
}
