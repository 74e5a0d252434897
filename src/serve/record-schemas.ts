import * as z from 'zod';
import { CONTENT_TYPES } from '../model/chunk.js';
import { BLOCK_TYPES } from '../model/tree.js';

/** The model's records as schemas. An operation's answer has the model's own type, which must fit. */
const metadata = z.record(z.string(), z.unknown());

export const loc = z.object({
  page: z.number().optional(),
  page_end: z.number().optional(),
  slide: z.number().optional(),
  slide_end: z.number().optional(),
  cell: z.number().optional().describe('Of a notebook'),
  cell_end: z.number().optional(),
  chapter: z.string().optional(),
  sheet: z.string().optional(),
  cells: z.string().optional().describe('Such as B2:F40'),
  pointer: z.string().optional().describe('JSON pointer (RFC 6901)'),
  paragraph: z.number().optional(),
  lines: z.object({ from: z.number(), to: z.number() }).optional(),
  offset: z.number().optional(),
  ocr: z.number().optional().describe('Read by OCR, and how sure (0–1)'),
});

export const document = z.object({
  id: z.string(),
  source: z.string(),
  source_path: z.string(),
  title: z.string(),
  summary: z.string(),
  hash: z.string(),
  updated_at: z.string(),
  chunk_count: z.number(),
  is_parent: z.literal(true),
  metadata,
});

export const block = z.object({
  type: z.enum(BLOCK_TYPES),
  text: z.string(),
  meta: z.object({
    lang: z.string().optional(),
    refer_line: z.number().optional(),
    source: z.string().optional(),
    token_count: z.number().optional(),
  }),
  loc,
});

export const section = z.object({
  id: z.string(),
  doc_id: z.string(),
  parent_id: z.string(),
  title: z.string(),
  title_path: z.array(z.string()),
  level: z.number(),
  start_position: z.number(),
  end_position: z.number(),
  loc,
  blocks: z.array(block),
  summary: z.string().optional(),
});

export const chunk = z.object({
  id: z.string(),
  doc_id: z.string(),
  section_id: z.string().nullable(),
  title: z.string(),
  title_path: z.array(z.string()),
  parent_doc_title: z.string(),
  chunk_index: z.number(),
  content_type: z.enum(CONTENT_TYPES),
  content_types: z.array(z.enum(CONTENT_TYPES)),
  content: z.string(),
  summary: z.string(),
  token_count: z.number(),
  start_position: z.number(),
  end_position: z.number(),
  loc,
  hash: z.string(),
  chunk_hash: z.string(),
  source_hint: z.string(),
  is_parent: z.literal(false),
  metadata,
  json_pointer: z.string().optional(),
  total_chunks: z.number().optional(),
  content_hash: z.string().optional(),
});

export const citation = z.object({
  ref: z.string().describe('Give it to `strata verify` to check that the source still says so'),
  doc_id: z.string(),
  chunk_id: z.string(),
  source_path: z.string(),
  title_path: z.array(z.string()),
  loc,
  start_position: z.number(),
  end_position: z.number(),
  content_hash: z.string(),
});

/** What a search says beside what it found; the same for every form of its answer. */
export const searchNotes = {
  notices: z.array(z.string()),
  suggestion: z.string().optional().describe('What may have been meant, in words of the library'),
  weak: z.boolean().optional().describe('true: nothing answers for certain, these are the nearest there are'),
};
