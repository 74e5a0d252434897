/** JSON has its own way to write control characters, and has written the first 32 so already. */
const UNESCAPED = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/**
 * JSON that a terminal may show as it is: what moves the cursor, ends a line or turns the order of letters around is
 * written as an escape, which every reader of JSON turns back.
 */
export const safeJson = (json: string): string =>
  json.replace(UNESCAPED, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
