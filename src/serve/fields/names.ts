import { argument, flag, texts } from '../fields.js';

/** Fields of several operations on tables, search tools, endpoints and users. */

/** In characters, of the names that people give to users, keys and endpoints. */
export const LONGEST_NAME = 64;

export const userName = argument('The user’s name', 'NAME', LONGEST_NAME);

export const endpointName = argument('The endpoint', 'NAME', LONGEST_NAME);

export const boundTools = texts('Search tools by name', {
  longest: LONGEST_NAME,
  most: 100,
  cli: { positional: true, value: 'TOOL' },
});

/** A grant is of one user for one thing. */
export const granted = {
  user: argument('The user', 'USER', LONGEST_NAME),
  resource: argument('table:NAME, tool:NAME or endpoint:NAME', 'RESOURCE', 220),
};

export const tableId = argument('The table', 'TABLE');

export const toolName = argument('The tool', 'NAME');

export const embedFlag = flag('Make the vectors that are missing', {
  fallback: true,
  cli: { no: 'Leave the vectors for later (`strata embed`)' },
});
