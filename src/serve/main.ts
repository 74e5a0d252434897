#!/usr/bin/env node
import { VERSION } from '../model/version.js';

/** Asked by scripts and installers, often: it waits for nothing, not even for the table of commands. */
const asked = process.argv.slice(2);
if (asked.length === 1 && (asked[0] === '--version' || asked[0] === '-V')) {
  process.stdout.write(`${VERSION}\n`);
} else {
  const { runProgram } = await import('./cli/program.js');
  await runProgram();
}
