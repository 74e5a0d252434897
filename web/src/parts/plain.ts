/**
 * Titles, paths and texts come from documents, and documents are hostile: characters that turn the direction of reading or
 * steer a terminal are left out, so that a name on the page reads as its bytes do.
 */
const STEERING =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

export const plain = (text: string): string => text.replace(STEERING, '');

/** A heading as people read it, without the anchor that some writers put behind it. */
export const titleText = (text: string): string => oneLine(text).replace(/\s*\{#[\w-]+\}$/, '');

/** On one line. */
export const oneLine = (text: string): string => plain(text).replace(/\s+/g, ' ').trim();
