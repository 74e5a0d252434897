import { SEARCH_MODES } from '../../model/result.js';
import { LONGEST_QUERY, optionalText, text } from '../fields.js';

/** What `search` and `scout` ask alike. */

export const queryField = text('What to look for', {
  longest: LONGEST_QUERY,
  cli: { positional: true, joined: true, value: 'QUERY' },
});

export const modeField = optionalText('hybrid (words and meaning), keyword, tfidf, or vector', {
  choices: SEARCH_MODES,
  cli: { value: 'MODE' },
});
