/** In tokens: below the least an answer says nothing, and no context holds more than the most. */
export const LEAST_TOKENS = 200;
export const MOST_TOKENS = 200_000;

/** To the log and to the agent: nothing found in an empty library is no answer. */
export const emptyNotice = (location: string): string =>
  `The library ${location} is empty: nothing could be searched. Add documents to it, or connect the library that has them.`;
