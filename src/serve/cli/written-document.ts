import { recordsOf } from '../../ingest/parsed-doc.js';
import type { ParsedDoc } from '../../model/parsed.js';
import { WrittenList } from './json-pieces.js';

/** What a parsed document is as JSON, with records that are made while they are written. */
export function writtenDocument(document: ParsedDoc): Record<string, unknown> {
  const records = recordsOf(document);
  const lists: Readonly<Record<string, WrittenList<unknown>>> = {
    sections: new WrittenList(() => records.sections()),
    blocks: new WrittenList(() => records.blocks()),
    chunks: new WrittenList(() => records.chunks()),
  };
  const keys = Object.keys(document) as (keyof ParsedDoc)[];
  return Object.fromEntries(keys.map((key) => [key, lists[key] ?? document[key]]));
}
