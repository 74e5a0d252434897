import { writeSync } from 'node:fs';
import { openStore, take } from './steps.js';

/** `writer.js DRIVER FOLDER SEED FROM [COUNT]`: takes steps from FROM on, saying so, until it is killed. */
const [driver, folder, seed, from, count = 'Infinity'] = process.argv.slice(2);

const say = (line) => writeSync(1, `${line}\n`);

try {
  const backend = await openStore(driver, folder);
  say('open');
  for (let n = Number(from); n < Number(from) + Number(count); n++) {
    await take(backend, seed, n);
    say(`done ${n}`);
  }
  await backend.close();
  say('closed');
} catch (error) {
  say(`error ${error?.code ?? 'none'} ${String(error?.message ?? error).replaceAll('\n', ' ')}`);
  process.exitCode = 1;
}
