/** What became of a cited passage. Apart from verify.ts, which loads parsers: schemas need the words alone. */
export const VERIFY_STATUSES = ['unchanged', 'moved', 'changed', 'gone'] as const;
export type VerifyStatus = (typeof VERIFY_STATUSES)[number];
