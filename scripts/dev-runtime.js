// The tests run models, and what runs them is no dependency of the package: it is fetched as Strata itself does it, and
// put beside the other packages of this clone. No network here is no failure of the set-up: the tests say what is missing.
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { preferredBuild, pullRuntime, runtimeFolder } from '../dist/embed/runtime/runtime.js';

const MODULES = resolve(import.meta.dirname, '..', 'node_modules');

/** Also vitest's global set-up. */
export async function setup() {
  try {
    createRequire(import.meta.url).resolve('onnxruntime-node');
    return;
  } catch {
    // Fetched below.
  }
  const build = preferredBuild();
  try {
    await pullRuntime(build);
    for (const { name } of build.packages)
      await cp(join(runtimeFolder(build), 'node_modules', name), join(MODULES, name), { recursive: true });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
}

if (process.argv[1] === import.meta.filename) await setup();
