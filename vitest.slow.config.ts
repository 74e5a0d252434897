import { defineConfig } from 'vitest/config';

// What takes minutes: long property runs, kills, many processes. `.ci/run` calls it after `npm test`.
export default defineConfig({
  test: {
    include: ['src/**/*.slow.ts', 'test/**/*.slow.ts'],
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
