// npm run torture [-- --hour] [-- --seed S] [-- --only kill,flips]: what a library must survive, for a minute or for an hour.
// The tests are those of `npm run test:slow`, with more of everything; the seed is printed, and gives the same run again.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';

/** By name: the file, and how often or how long it is done in a minute and in an hour. */
const TORTURES = {
  kill: { file: 'test/kill.slow.ts', variable: 'STRATA_KILLS', minute: 12, hour: 500 },
  disk: { file: 'test/disk-full.slow.ts' },
  flips: { file: 'test/bitflip.slow.ts', variable: 'STRATA_FLIPS', minute: 60, hour: 2500 },
  damage: {
    file: 'src/drivers/sqlite/doctor/damage.slow.ts',
    variable: 'STRATA_FLIPS',
    minute: 60,
    hour: 2500,
  },
  fuzz: { file: 'test/fuzz.slow.ts', variable: 'STRATA_FUZZ', minute: 100, hour: 10_000 },
  processes: { file: 'test/many-processes.slow.ts', variable: 'STRATA_CROWD_SECONDS', minute: 8, hour: 300 },
  soak: { file: 'test/soak.slow.ts', variable: 'STRATA_SOAK_SECONDS', minute: 20, hour: 600 },
};

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    hour: { type: 'boolean', default: false },
    seed: { type: 'string', default: randomBytes(6).toString('hex') },
    only: { type: 'string', default: Object.keys(TORTURES).join() },
  },
});
if (values.help) {
  console.log(`npm run torture [-- --hour] [-- --seed S] [-- --only ${Object.keys(TORTURES).join(',')}]`);
  process.exit(0);
}
const names = values.only.split(',');
const unknown = names.find((name) => !(name in TORTURES));
if (unknown !== undefined) {
  console.error(`There is no torture "${unknown}": use some of ${Object.keys(TORTURES).join(', ')}.`);
  process.exit(2);
}
const flags = `${values.hour ? ' --hour' : ''} --seed ${values.seed}`;
console.log(`seed ${values.seed}`);
const env = { ...process.env, STRATA_SEED: values.seed };
const results = [];
for (const name of names) {
  const { file, variable, minute, hour } = TORTURES[name];
  if (variable !== undefined) env[variable] = String(values.hour ? hour : minute);
  const started = performance.now();
  // One after the other: a crowd beside a soak would measure the machine.
  const args = ['vitest', 'run', '--config', 'vitest.slow.config.ts', '--testTimeout', '3600000', file];
  const { status } = spawnSync('npx', args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  results.push({ name, status, seconds: (performance.now() - started) / 1000 });
}
for (const { name, status, seconds } of results) {
  const verdict = status === 0 ? 'survived' : `FAILED; again: npm run torture --${flags} --only ${name}`;
  console.log(`${name.padEnd(10)} ${seconds.toFixed(0).padStart(5)} s  ${verdict}`);
}
process.exitCode = results.every(({ status }) => status === 0) ? 0 : 1;
