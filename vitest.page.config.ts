import { defineConfig } from 'vitest/config';

// The page in a real browser: `npm run test:page` installs Debian's Chromium and a driver. `.ci/run` calls it, too.
export default defineConfig({
  test: {
    include: ['test/page/*.browser.js'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: 1,
  },
});
