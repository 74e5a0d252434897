import type { JsonObject } from '../model/json/json.js';
import { type Check, checked, copied, count, filled, json, refuse, text } from './fields.js';

/** A chunk in the words of seed 002. */
export interface KnowledgeChunkFields {
  readonly id: string;
  readonly item_id: string;
  readonly chunk_index: number;
  readonly content: string;
  /** The heading the chunk stands under; empty before the first one. */
  readonly heading: string;
  readonly start_position: number;
  readonly end_position: number;
  readonly metadata: JsonObject;
}

const FIELDS: { readonly [name in keyof KnowledgeChunkFields]: Check } = {
  id: filled,
  item_id: filled,
  chunk_index: count,
  content: filled,
  heading: text,
  start_position: count,
  end_position: count,
  metadata: json,
};

/** Refused by the name of the field that is missing or wrong. */
export function checkedChunk(value: unknown, what = 'chunk'): KnowledgeChunkFields {
  const chunk = checked<KnowledgeChunkFields>(value, what, FIELDS);
  if (chunk.end_position < chunk.start_position)
    refuse(`${what}.end_position`, 'must not be before start_position');
  return chunk;
}

export class KnowledgeChunk implements KnowledgeChunkFields {
  readonly id: string;
  readonly item_id: string;
  readonly chunk_index: number;
  readonly content: string;
  readonly heading: string;
  readonly start_position: number;
  readonly end_position: number;
  readonly metadata: JsonObject;

  constructor(fields: KnowledgeChunkFields) {
    this.id = fields.id;
    this.item_id = fields.item_id;
    this.chunk_index = fields.chunk_index;
    this.content = fields.content;
    this.heading = fields.heading;
    this.start_position = fields.start_position;
    this.end_position = fields.end_position;
    this.metadata = fields.metadata;
  }

  toDict(): KnowledgeChunkFields {
    return { ...this, metadata: copied(this.metadata) };
  }

  /** The way back from `toDict`. */
  static fromDict(dict: unknown): KnowledgeChunk {
    const fields = checkedChunk(dict);
    const unknown = Object.keys(fields).find((name) => !Object.hasOwn(FIELDS, name));
    if (unknown !== undefined) refuse(`chunk.${unknown}`, 'is no field of a KnowledgeChunk');
    return new KnowledgeChunk({ ...fields, metadata: copied(fields.metadata) });
  }
}
