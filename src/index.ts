/** The public API: explicit names only. */

export { type ChunkedDocument, type ChunkRequest, chunkDocument } from './chunk/chunk.js';
export { cutDocument, type Passage } from './chunk/cut.js';
export { type ChunkSettings, chunkSettings } from './chunk/settings.js';
export type { Embedder } from './embed/embedder.js';
export type { BackupReport } from './engine/backup.js';
export type { DoctorReport } from './engine/doctor.js';
export type { EmbedReport } from './engine/embedding/embed-behind.js';
export type { DocumentVector, NearChunk } from './engine/embedding/own-vectors.js';
export type {
  AddEntry,
  AddOptions,
  AddOutcome,
  AddReport,
  ChunkInspection,
  ChunkingOptions,
  DocumentDetails,
  DocumentInspection,
  DocumentPage,
  Finding,
  FindOptions,
  Inspection,
  Library,
  LibraryOptions,
  LibrarySettings,
  LibraryStatus,
  ListOptions,
  RebuildOptions,
  RebuildReport,
  RemoveOptions,
  RemoveReport,
  ScoutAnswer,
  ScoutOptions,
  SearchOptions,
  TextNote,
  WorkOptions,
} from './engine/library.js';
export type { MoveOptions, MoveReport } from './engine/move.js';
export { openLibrary } from './engine/open.js';
export type { Verification, VerifiedPlace } from './engine/verify/verify.js';
export type { VerifyStatus } from './engine/verify/verify-status.js';
export { type ParseOptions, parse } from './ingest/parse-file.js';
export type { Brief, ChunkBrief, DocumentBrief } from './model/brief.js';
export type { Chunk } from './model/chunk.js';
export type { Citation } from './model/citation.js';
export type { Document } from './model/document.js';
export { ERROR_CODES, type ErrorCode, StrataError } from './model/errors.js';
export type { ParsedDoc } from './model/parsed.js';
export type {
  BestSentence,
  ChannelEvidence,
  ContextChunk,
  Highlight,
  MatchedChunk,
  SearchAnswer,
  SearchMode,
  SearchResult,
} from './model/result.js';
export type { Block, Loc, Section } from './model/section.js';
export type { Tree } from './model/tree.js';
export { parseDocument } from './parse/parse.js';
export { DEFAULT_LIMITS, type ParseInput } from './parse/parser.js';
export type { Filter } from './store/filter.js';
