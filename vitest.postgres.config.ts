import { defineConfig } from 'vitest/config';

// Against a real PostgreSQL server with pgvector: `npm run test:postgres` starts one. `.ci/run` calls it, too.
export default defineConfig({
  test: {
    include: ['src/drivers/postgres/*.test.ts', 'src/**/*.server.ts', 'test/stores/*.server.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
  },
});
