import { defineConfig } from 'vitest/config';

// The LanceDB store. Its package is large, so `npm run test:lancedb` installs it first, without keeping it.
export default defineConfig({
  test: {
    include: ['src/**/*.lance.ts', 'test/stores/*.lance.ts'],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
  },
});
