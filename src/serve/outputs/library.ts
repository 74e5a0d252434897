import * as z from 'zod';

export const addEntry = z.object({
  outcome: z.enum(['added', 'changed', 'renamed', 'unchanged', 'removed', 'failed', 'skipped']),
  source_path: z.string(),
  id: z.string().optional(),
  chunk_count: z.number().optional(),
  chunk_ids: z.array(z.string()).optional(),
  from: z.string().optional().describe("A rename's old path"),
  reason: z.string().optional().describe('Why it failed or was skipped'),
  code: z.string().optional(),
  warnings: z.array(z.string()).optional(),
});

export const addReport = z.object({
  added: z.number(),
  changed: z.number(),
  renamed: z.number(),
  unchanged: z.number(),
  removed: z.number(),
  failed: z.number(),
  skipped: z.number().describe('Pictures, archives and the like, met while walking a folder'),
  entries: z.array(addEntry).describe('One a source; unchanged ones are left out'),
  chunks: z.object({ kept: z.number(), added: z.number(), removed: z.number() }),
  embedded: z.number(),
  dry_run: z.boolean(),
  interrupted: z.boolean(),
  seconds: z.number(),
  notices: z.array(z.string()),
});

export const librarySettings = z.object({
  strategy: z.string(),
  max: z.number().nullable(),
  min: z.number(),
  overlap: z.number(),
  embedder: z.string(),
});
