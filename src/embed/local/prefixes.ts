export interface Prefixes {
  readonly query: string;
  readonly passage: string;
}

/**
 * What a model's authors say must stand before a question and before a passage (their model cards). Without it
 * these models still answer, only worse, so nobody would notice.
 */
const KNOWN: readonly (readonly [RegExp, Prefixes])[] = [
  [/(^|[-_/])e5[-_]/i, { query: 'query: ', passage: 'passage: ' }],
  [/nomic-embed-text/i, { query: 'search_query: ', passage: 'search_document: ' }],
  [
    /mxbai-embed|bge-(small|base|large)-en|snowflake-arctic-embed/i,
    { query: 'Represent this sentence for searching relevant passages: ', passage: '' },
  ],
];

export function knownPrefixes(model: string): Prefixes {
  return KNOWN.find(([pattern]) => pattern.test(model))?.[1] ?? { query: '', passage: '' };
}
