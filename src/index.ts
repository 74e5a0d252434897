/** The public API: explicit names only. */

export { type ChunkedDocument, type ChunkRequest, chunkDocument } from './chunk/chunk.js';
export { cutDocument, type Passage } from './chunk/cut.js';
export { type ChunkOptions, type ChunkSettings, chunkSettings, type StrategyName } from './chunk/settings.js';
export type { Embedder, EmbedRole } from './embed/embedder.js';
export type { Reranker } from './embed/rerank/reranker.js';
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
export { openLibrary } from './engine/open.js';
export type { BackupReport } from './engine/upkeep/backup.js';
export type { DoctorReport } from './engine/upkeep/doctor.js';
export type { MoveOptions, MoveReport } from './engine/upkeep/move.js';
export type { Verification, VerifiedPlace } from './engine/verify/verify.js';
export type { VerifyStatus } from './engine/verify/verify-status.js';
export type { OcrMode } from './ingest/add-options.js';
export { type ParseOptions, parse } from './ingest/parse-file.js';
export type { Brief, ChunkBrief, DocumentBrief, Staleness } from './model/brief.js';
export type { Chunk, ChunkMetadata, ContentType } from './model/chunk.js';
export type { Citation } from './model/citation.js';
export type { Document } from './model/document.js';
export { ERROR_CODES, type ErrorCode, StrataError } from './model/errors.js';
export type { Json, JsonObject } from './model/json/json.js';
export type { LineMarks } from './model/line-marks.js';
export type { ParsedDoc } from './model/parsed.js';
export type { PassageVector } from './model/passage-vector.js';
export type { OnProgress, Progress } from './model/progress.js';
export type {
  BestSentence,
  ChannelEvidence,
  ContextChunk,
  Highlight,
  MatchedChunk,
  QueryTranslation,
  SearchAnswer,
  SearchMode,
  SearchResult,
} from './model/result.js';
export type { Block, BlockMeta, Loc, Section } from './model/section.js';
export type { BlockType, SourceMap, Span, Tree, TreeBlock, TreeSection } from './model/tree.js';
export type { Box as OcrBox } from './parse/ocr/boxes.js';
export type { ReadCharacter as OcrCharacter } from './parse/ocr/ctc.js';
export type { Run as OcrRun } from './parse/ocr/ink.js';
export type { QuarterTurns, Raster } from './parse/ocr/raster.js';
export type { ReadLine as OcrLine, ReadPicture as OcrPicture } from './parse/ocr/read-picture.js';
export { parseDocument } from './parse/parse.js';
export { DEFAULT_LIMITS, type OcrReader, type ParseInput, type ParseLimits } from './parse/parser.js';
export type { SearchContext } from './search/options.js';
export type { Filter } from './store/filter.js';
export type { VectorMatch, VectorQuery } from './store/vectors.js';
