// tsc emits only what it compiles. Data files that modules load beside themselves (*.wasm, *.bin)
// are copied to dist here, so that the built program finds them at the same relative place.
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const assets = readdirSync('src', { recursive: true, withFileTypes: true }).filter(
  (entry) => entry.isFile() && /\.(wasm|bin)$/.test(entry.name),
);
for (const { parentPath, name } of assets) {
  const from = join(parentPath, name);
  const to = from.replace(/^src/, 'dist');
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}
const command = 'dist/serve/main.js';
if (existsSync(command)) chmodSync(command, 0o755);
