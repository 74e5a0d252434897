/** What JSON can hold. Metadata is this and nothing else, so that every store can keep it as it is. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };
