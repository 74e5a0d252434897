// Writes src/text/lexicon/han-fold.ts: one simplified form for every traditional character, from OpenCC's tables
// (opencc-js, a devDependency). Run again after an update of opencc-js: node scripts/make-han-fold.js
import { writeFileSync } from 'node:fs';
import hongKong from 'opencc-js/dict/HKVariantsRev';
import toSimplified from 'opencc-js/dict/TSCharacters';
import taiwan from 'opencc-js/dict/TWVariantsRev';

const pairs = (table) => table.split('|').map((line) => line.split(' '));
// One UTF-16 unit to one unit only, so that folding never moves an offset.
const oneUnit = (char) => char.length === 1;

const fold = new Map();
for (const [from, to, second] of pairs(toSimplified)) {
  if (!oneUnit(from) || !to || !oneUnit(to)) continue;
  // Where OpenCC keeps the character itself as first choice (著: 著作, but 看着), search must meet both.
  if (from === to && second && oneUnit(second)) fold.set(second, from);
  else if (from !== to) fold.set(from, to);
}
// Regional spellings of the same character (HK 裏, TW 裡): through the standard form to the simplified one.
for (const [from, to] of [...pairs(taiwan), ...pairs(hongKong)]) {
  if (!oneUnit(from) || !to || !oneUnit(to) || fold.has(from)) continue;
  const simplified = fold.get(to) ?? to;
  if (simplified !== from) fold.set(from, simplified);
}
// What some character folds to is a simplified form, and stays: 么 is 麼, not a way to write 幺.
for (const to of [...fold.values()]) fold.delete(to);

const entries = [...fold].sort(([a], [b]) => a.codePointAt(0) - b.codePointAt(0));
const string = (index) => entries.map((entry) => entry[index]).join('');
writeFileSync(
  'src/text/lexicon/han-fold.ts',
  `/** Made by scripts/make-han-fold.js from OpenCC's tables (Apache-2.0; see NOTICE). Do not edit. */
export const HAN_FROM =
  '${string(0)}';
export const HAN_TO =
  '${string(1)}';
`,
);
console.log(`${entries.length} characters`);
