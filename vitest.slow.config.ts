import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// What takes minutes: long property runs, kills, many processes. `.ci/run` calls it after `npm test`.
export default defineConfig({
  test: {
    // What tests agree to (src/engine/trust) must not become the developer's own agreements.
    env: { STRATA_CONFIG: join(tmpdir(), `strata-test-config-${process.pid}`) },
    globalSetup: ['scripts/dev-runtime.js'],
    include: ['src/**/*.slow.ts', 'test/**/*.slow.ts'],
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
