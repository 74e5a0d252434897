/** The public API: explicit names only. */

export { type ChunkedDocument, type ChunkRequest, chunkDocument } from './chunk/chunk.js';
export { cutDocument, type Passage } from './chunk/cut.js';
export { type ChunkSettings, chunkSettings } from './chunk/settings.js';
export type { Library, LibraryOptions } from './engine/library.js';
export { openLibrary } from './engine/open.js';
export { type ParseOptions, parse } from './ingest/parse-file.js';
export type { Brief, ChunkBrief, DocumentBrief } from './model/brief.js';
export type { Chunk } from './model/chunk.js';
export type { Citation } from './model/citation.js';
export type { Document } from './model/document.js';
export { ERROR_CODES, type ErrorCode, StrataError } from './model/errors.js';
export type { ParsedDoc } from './model/parsed.js';
export type { SearchAnswer, SearchMode, SearchResult } from './model/result.js';
export type { Block, Loc, Section } from './model/section.js';
export type { Tree } from './model/tree.js';
export { parseDocument } from './parse/parse.js';
export { DEFAULT_LIMITS, type ParseInput } from './parse/parser.js';
