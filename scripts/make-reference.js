// Writes docs/reference.md and its Chinese from the table of operations, so that the reference cannot say anything else than the
// program does. `npm run docs` after a change; test/docs.test.ts fails while they differ.
import { writeFileSync } from 'node:fs';
import { referenceText } from '../dist/serve/cli/reference.js';
import { chooseLanguage } from '../dist/serve/language/language.js';

writeFileSync(new URL('../docs/reference.md', import.meta.url), referenceText());
await chooseLanguage('zh');
writeFileSync(new URL('../docs/reference.zh.md', import.meta.url), referenceText());
