import * as z from 'zod';
import { VERIFY_STATUSES } from '../engine/verify/verify-status.js';
import { addReport, librarySettings } from './outputs/library.js';
import {
  block,
  briefs,
  chunk,
  citation,
  document,
  inspection,
  searchAnswer,
  section,
} from './outputs/records.js';

/**
 * What each operation answers, by name. `--json`, MCP's structured content and HTTP bodies have these shapes; fields
 * are added to, never renamed. Imported by servers, the docs script and the tests; commands use the types alone.
 */
export const outputs = {
  add: addReport,
  remove: z.object({
    removed: z.array(z.object({ id: z.string(), source_path: z.string(), title: z.string() })),
    dry_run: z.boolean(),
  }),
  list: z.object({
    documents: z.array(document),
    next: z.string().nullable().describe('Give it as `after` for the next page; null at the end'),
  }),
  show: z.object({ document, sections: z.array(section), text: z.string() }),
  search: searchAnswer,
  scout: briefs,
  inspect: inspection,
  status: z.object({
    location: z.string(),
    root: z.string(),
    driver: z.string(),
    documents: z.number(),
    chunks: z.number(),
    generation: z.number(),
    settings: librarySettings,
    vectors: z.object({
      model: z.string().nullable(),
      dimensions: z.number(),
      embedded: z.number(),
      pending: z.number(),
      reason: z.string().optional(),
    }),
  }),
  rebuild: z.object({
    documents: z.number(),
    chunks: z.object({ kept: z.number(), added: z.number(), removed: z.number() }),
    failed: z.array(z.object({ id: z.string(), source_path: z.string(), reason: z.string() })),
    interrupted: z.boolean(),
  }),
  eval: z.object({
    rows: z.array(
      z.object({
        set: z.string(),
        mode: z.string(),
        ndcg_10: z.number(),
        recall_10: z.number(),
        recall_100: z.number(),
        mrr_10: z.number(),
        hit_1: z.number(),
        hit_5: z.number(),
        queries: z.number(),
        documents: z.number(),
        chunks: z.number(),
        mean_chunk_length: z.number().describe('In UTF-16 units'),
        ms_per_query: z.number(),
        ms_p50: z.number(),
        ms_p95: z.number(),
        notices: z.array(z.string()),
      }),
    ),
  }),
  embed: z.object({
    embedded: z.number(),
    failed: z.array(z.object({ embed_key: z.string(), reason: z.string() })),
    remaining: z.number().describe('Passages that still have no vector'),
    stopped: z.string().optional().describe('Why it ended before everything was tried'),
    interrupted: z.boolean(),
  }),
  models: z.object({
    action: z.string(),
    models: z.array(
      z.object({
        name: z.string(),
        about: z.string(),
        licence: z.string(),
        authors: z.string(),
        dimensions: z.number(),
        bytes: z.number(),
        present: z.boolean(),
        path: z.string(),
        sources: z.array(z.string()),
      }),
    ),
    runtime: z
      .object({
        name: z.string(),
        licence: z.string(),
        authors: z.string(),
        bytes: z.number(),
        present: z.boolean(),
        path: z.string(),
        sources: z.array(z.string()),
      })
      .describe('What runs the models'),
  }),
  trust: z.object({
    action: z.string(),
    library: z.string().nullable(),
    agreements: z.array(
      z.object({
        library: z.string(),
        about: z.string().describe('owner, store, embedder or sources'),
        value: z.string().describe('What the library names'),
        by: z.string().describe('named: by the user, with a flag; agreed: by the library'),
        at: z.string(),
      }),
    ),
  }),
  doctor: z.object({
    findings: z.array(
      z.object({ area: z.string(), message: z.string(), doc_id: z.string().optional(), fixed: z.boolean() }),
    ),
    notes: z.array(z.string()).describe('Worth knowing, but nothing is wrong'),
  }),
  verify: z.object({
    status: z
      .enum(VERIFY_STATUSES)
      .describe('unchanged, moved (place: where to), changed (place: what is most like it), gone'),
    checked: z
      .enum(['source', 'store'])
      .describe('Asked of the file as it is now, or of the copy in the library'),
    cited: z.object({
      doc_id: z.string(),
      source_path: z.string().nullable(),
      content: z.string().optional(),
    }),
    place: z.object({ content: z.string(), citation }).optional(),
    similarity: z.number().optional().describe('0 to 1, of a changed passage'),
    message: z.string(),
  }),
  backup: z.object({
    destination: z.string(),
    documents: z.number(),
    chunks: z.number(),
    bytes: z.number(),
  }),
  restore: z.object({
    location: z.string(),
    documents: z.number(),
    chunks: z.number(),
    replaced: z.string().nullable().describe('Where the library that was there before stands now'),
  }),
  /** `--json` prints the document itself for one path, a list for several. */
  parse: z.object({
    documents: z.array(
      z.object({
        id: z.string(),
        path: z.string(),
        title: z.string(),
        summary: z.string(),
        format: z.string(),
        text: z.string(),
        hash: z.string(),
        metadata: z.record(z.string(), z.unknown()),
        warnings: z.array(z.string()),
        sections: z.array(section),
        blocks: z.array(block),
        chunks: z.array(chunk),
        chunk_count: z.number(),
      }),
    ),
    failed: z.array(z.object({ path: z.string(), reason: z.string(), code: z.string() })),
  }),
} as const;
