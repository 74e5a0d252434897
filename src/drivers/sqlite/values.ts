/** What SQLite takes and gives. */
export type Value = null | number | string | Uint8Array;
export type Row = readonly Value[];

/** The binding cuts a string at its first NUL character: such a string goes in as bytes, and `textOf` gives it back. */
export const bindable = (value: Value): Value =>
  typeof value === 'string' && value.includes('\u0000') ? Buffer.from(value) : value;

export const textOf = (value: Value | undefined): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString() : String(value);
