import { writeFileSync } from 'node:fs';
import { KnowledgeStore, parse } from 'strata-kb/seeds';

// Seed 000: a document is cut at its H2 headings; documents and chunks are scouted by title and summary, then inspected.
writeFileSync(
  'deploy.md',
  '# 部署手册\n\n## Nginx\n\n反向代理把请求转给后端。\n\n## CORS\n\n逐个列出允许的来源。\n',
);
const document = await parse('deploy.md');
for (const { position, title, content } of document.chunks) console.log(position, title, content.length);
const store = await KnowledgeStore.open('knowledge-000');
await store.add(document);
const briefs = await store.scout('部署 CORS');
for (const { is_parent, id, title } of briefs) console.log(is_parent ? 'document' : 'chunk', id, title);
console.log(await store.inspect(document.id));
await store.close();
