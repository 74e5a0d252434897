import { defineConfig } from 'vitest/config';

// Tests stand beside the code (src/**) and, for the whole program, in test/.
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
