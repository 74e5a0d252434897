// node scripts/check-licences.js SBOM.json: every package that is installed with Strata has a licence that lets anybody use it
// without publishing his own code. CycloneDX, as `npm sbom` writes it.
import { readFileSync } from 'node:fs';

const PERMISSIVE = new Set([
  ...[
    '0BSD',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'CC0-1.0',
    'ISC',
    'MIT',
    'MIT-0',
  ],
  ...['Python-2.0', 'Unlicense', 'Zlib'],
]);

/** Packages whose package.json names no licence, by what their LICENSE file says. */
const KNOWN = { 'duck@0.1.12': 'BSD-2-Clause' };

/** `(MIT OR GPL-3.0)` may be taken as MIT; of `A AND B` both must do. */
function isPermissive(expression) {
  const plain = expression.replace(/[()]/g, ' ').trim();
  return plain
    .split(/\s+OR\s+/)
    .some((choice) => choice.split(/\s+AND\s+/).every((licence) => PERMISSIVE.has(licence.trim())));
}

const { components } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const counts = new Map();
const bad = [];
for (const { name, version, licenses = [] } of components) {
  const named = licenses.map((one) => one.expression ?? one.license?.id ?? one.license?.name).join(' AND ');
  const licence = named || (KNOWN[`${name}@${version}`] ?? '');
  counts.set(licence, (counts.get(licence) ?? 0) + 1);
  if (licence === '' || !isPermissive(licence))
    bad.push(`${name}@${version}: ${licence || 'no licence named'}`);
}
const sums = [...counts].sort(([, a], [, b]) => b - a).map(([licence, count]) => `${count} ${licence}`);
console.log(`${components.length} packages: ${sums.join(', ')}`);
if (bad.length > 0) {
  console.error(`Not permissive:\n${bad.join('\n')}`);
  process.exit(1);
}
