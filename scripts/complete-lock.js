// Run after every change of dependencies: `node scripts/complete-lock.js`.
//
// npm leaves a package built for another platform out of package-lock.json when the registry in use does not
// carry it, and `npm ci` then refuses the whole lock. Such a package is never fetched on this platform, so an entry
// with its version and platform is enough; its own platform's npm adds the rest.
import { readFileSync, writeFileSync } from 'node:fs';

const OS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const CPU = {
  arm64: 'arm64',
  x64: 'x64',
  ia32: 'ia32',
  arm: 'arm',
  ppc64: 'ppc64',
  s390x: 's390x',
  riscv64: 'riscv64',
  loong64: 'loong64',
  wasm32: 'wasm32',
  mips64el: 'mips64el',
};

for (const path of process.argv.length > 2 ? process.argv.slice(2) : ['package-lock.json']) {
  const lock = JSON.parse(readFileSync(path, 'utf8'));
  let added = 0;
  for (const [place, entry] of Object.entries(lock.packages)) {
    if (place === '') continue;
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (resolves(lock.packages, place, name)) continue;
      lock.packages[`node_modules/${name}`] = platformEntry(name, version, entry.dev === true);
      added++;
    }
  }
  lock.packages = Object.fromEntries(
    Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  );
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`${path}: ${added} added`);
}

/** Looked up as Node does: beside the package that asks, then further out. */
function resolves(packages, place, name) {
  for (let at = place; ; at = at.slice(0, at.lastIndexOf('/node_modules/'))) {
    if (packages[`${at}/node_modules/${name}`]) return true;
    if (!at.includes('/node_modules/')) return packages[`node_modules/${name}`] !== undefined;
  }
}

function platformEntry(name, version, dev) {
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  const os = OS.filter((known) => words.includes(known));
  const cpu = Object.keys(CPU).filter((known) => words.includes(known));
  if (os.length === 0 && cpu.length === 0)
    throw new Error(`${name}: for which platform? Not in the lock, and its name does not say`);
  return {
    version: version.replace(/^[~^]/, ''),
    ...(cpu.length > 0 && { cpu }),
    ...(dev && { dev: true }),
    optional: true,
    ...(os.length > 0 && { os }),
  };
}
