import { writeFileSync } from 'node:fs';
import { KnowledgeStore, parse } from 'strata-kb/seeds';

// Seed 001: one JSON record per slice, written all or not at all; `add` gives the slices' UUIDs.
writeFileSync(
  'guide.md',
  '# Guide\n\n## Backups\n\nA backup runs every night.\n\n## Restoring\n\nOne command does it.\n',
);
const store = await KnowledgeStore.open('knowledge-001');
const ids = await store.add(await parse('guide.md'));
for (const { id, title, parent_doc_title, summary } of await store.scout('backup night'))
  console.log(`[${parent_doc_title}] ${title}\nID: ${id}\nSummary: ${summary}`);
const record = await store.inspect(ids[1] ?? '');
console.log(record.title, 'content' in record && record.content);
await store.close();
