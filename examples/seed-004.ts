import { writeFileSync } from 'node:fs';
import { openLibrary, parse } from 'strata-kb';

// Seed 004: a tree of sections, chunks inside each of them, hybrid search, neighbours as context, a citation per hit.
writeFileSync(
  'ops.md',
  '# 部署\n\n## Nginx\n\n### CORS\n\n跨域请求要在 Nginx 里允许来源。\n\n## 备份\n\n每晚两点备份。\n',
);
const { sections, chunks } = await parse('ops.md');
console.log(
  sections.map(({ title_path }) => title_path.join(' › ')),
  chunks.length,
);
const library = await openLibrary({ library: 'ops/.strata', embedder: 'none' }); // without `embedder`: by meaning, too
await library.add(['ops.md']);
const { results } = await library.search('跨域 来源');
for (const { title_path, citation } of results[0]?.matched_chunks ?? [])
  console.log(title_path, citation.ref);
await library.close();
