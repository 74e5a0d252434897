import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { contentsOf, openStore } from './steps.js';

/** `reader.js DRIVER FOLDER`: says what the library holds, as a hash. */
const [driver, folder] = process.argv.slice(2);
try {
  const backend = await openStore(driver, folder);
  writeSync(
    1,
    `holds ${createHash('sha256')
      .update(await contentsOf(backend))
      .digest('hex')}\n`,
  );
  await backend.close();
} catch (error) {
  writeSync(1, `error ${error?.code} ${error?.message}\n`);
}
