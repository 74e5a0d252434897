// The last line of `.ci/run`: how many tests passed and failed, over vitest's JSON reports.
// A step that failed before its tests ran (build, lint, types) counts as one failure.
import { existsSync, readFileSync } from 'node:fs';

const [stepFailed, ...files] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const file of files) {
  if (!existsSync(file)) {
    failed++;
    continue;
  }
  const report = JSON.parse(readFileSync(file, 'utf8'));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  // A file that could not be loaded has no tests to fail.
  failed += report.testResults.filter(
    (suite) => suite.status === 'failed' && suite.assertionResults.length === 0,
  ).length;
}
if (stepFailed !== '0' && failed === 0) failed = 1;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
