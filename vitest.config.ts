import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Tests stand beside the code (src/**) and, for the whole program, in test/.
export default defineConfig({
  test: {
    // What tests agree to (src/engine/trust) must not become the developer's own agreements.
    env: { STRATA_CONFIG: join(tmpdir(), `strata-test-config-${process.pid}`) },
    globalSetup: ['scripts/dev-runtime.js'],
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
