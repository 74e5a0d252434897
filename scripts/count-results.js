// The last lines of `.ci/run`: which tests failed and why, and how many passed and failed, over vitest's JSON reports.
// Named again at the end, since what the runners printed stands thousands of lines above.
// A step that failed before its tests ran (build, lint, types) counts as one failure.
import { existsSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';

const [stepFailed, ...files] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const file of files) {
  if (!existsSync(file)) {
    failed++;
    console.log(`failed: ${basename(file, '.json')} gave no report`);
    continue;
  }
  const report = JSON.parse(readFileSync(file, 'utf8'));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  for (const { name, status, message, assertionResults } of report.testResults) {
    for (const test of assertionResults.filter(({ status }) => status === 'failed'))
      say(name, test.fullName, test.failureMessages[0]);
    // A file that could not be loaded has no tests to fail.
    if (status === 'failed' && assertionResults.length === 0) {
      failed++;
      say(name, 'could not be loaded', message);
    }
  }
}
if (stepFailed !== '0' && failed === 0) failed = 1;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

function say(file, test, message) {
  const lines = (message ?? '').split('\n').slice(0, 8);
  console.log(`failed: ${relative('.', file)}: ${test}\n${lines.map((line) => `  ${line}`).join('\n')}`);
}
