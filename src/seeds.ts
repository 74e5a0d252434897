/** `strata-kb/seeds`: the seeds' own entry points, which answer in the seeds' words. */
export { ContentChunker, type ContentChunkerOptions } from './seeds/content-chunker.js';
export { KnowledgeChunk, type KnowledgeChunkFields } from './seeds/knowledge-chunk.js';
export {
  type H2Chunk,
  type H2Document,
  type KnowledgeRecord,
  KnowledgeStore,
  parse,
  type RecordBrief,
  type RecordInspection,
} from './seeds/knowledge-store.js';
export {
  type FoundChunk,
  type KnowledgeItem,
  type KnowledgeResult,
  SQLiteStorageManager,
} from './seeds/sqlite-storage.js';
