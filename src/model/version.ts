/** Beside package.json's, which a test compares it with: reading that file would cost every start a disk access. */
export const VERSION = '0.1.0';
