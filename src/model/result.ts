import type { Staleness } from './brief.js';
import type { ContentType } from './chunk.js';
import type { Citation } from './citation.js';
import type { Document } from './document.js';
import type { Loc } from './section.js';

/** How to search: words, TF-IDF cosine, vectors, or words and vectors together. */
export const SEARCH_MODES = ['hybrid', 'keyword', 'tfidf', 'vector'] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

export interface Highlight {
  readonly field: 'title' | 'content' | 'summary';
  /** A piece of that field around the match. */
  readonly text: string;
  /** Matches inside `text`: [start, end) pairs. */
  readonly matches: readonly (readonly [number, number])[];
  /** The passage it is of, when the field is its content. */
  readonly chunk_id?: string;
}

/** One channel's evidence for a hit, for `--explain`. */
export interface ChannelEvidence {
  readonly channel: string;
  readonly rank: number;
  readonly score: number;
  readonly weight: number;
  /** The score at which this channel says nothing: `weight × (score − base)` is its part of the sum. */
  readonly base: number;
}

export interface BestSentence {
  /** Offsets in the document's text, like the chunk's own. */
  readonly start_position: number;
  readonly end_position: number;
  /** A line of the file, where the format has lines. */
  readonly line?: number;
}

export interface MatchedChunk {
  readonly chunk_id: string;
  readonly content: string;
  readonly heading: string;
  readonly title_path: readonly string[];
  readonly chunk_index: number;
  readonly content_type: ContentType;
  readonly content_types: readonly ContentType[];
  readonly start_position: number;
  readonly end_position: number;
  readonly loc: Loc;
  /** The sentence with most of what the question asks for; absent where none of its words is in the passage. */
  readonly best_sentence?: BestSentence;
  readonly score: number;
  readonly citation: Citation;
  readonly explain?: readonly ChannelEvidence[];
}

export interface ContextChunk {
  readonly chunk_id: string;
  readonly content: string;
  readonly heading: string;
  readonly chunk_index: number;
  readonly start_position: number;
  readonly end_position: number;
}

export interface SearchResult extends Staleness {
  readonly item: Document;
  readonly relevance_score: number;
  readonly matched_fields: readonly string[];
  readonly highlights: readonly Highlight[];
  /** Absent or empty when only the document itself matched. */
  readonly matched_chunks: readonly MatchedChunk[];
  readonly context_chunks: readonly ContextChunk[];
}

/** What a search answers: the results, and what a person should know about how they came about. */
export interface SearchAnswer {
  readonly query: string;
  readonly mode: SearchMode;
  readonly results: readonly SearchResult[];
  /** Such as "vectors cover 40 % of the chunks", or "searched whole documents: the chunk index is damaged". */
  readonly notices: readonly string[];
  /** What the person may have meant, in the library's own words, when nothing matches or only weakly. */
  readonly suggestion?: string;
  /** Nothing answers the question for certain: these are the nearest there are. */
  readonly weak?: boolean;
  /** With `explain`: which of its words were looked for in other ways too. */
  readonly translations?: readonly QueryTranslation[];
}

/** Words of a question, and their translations or synonyms that the library holds. */
export interface QueryTranslation {
  readonly from: string;
  readonly to: readonly string[];
}
