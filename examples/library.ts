import { openLibrary } from 'strata-kb';

// Made in this folder where there is none yet. `embedder: 'none'` searches by words alone; leave it out for meaning too.
const library = await openLibrary({ library: 'notes/.strata', embedder: 'none' });

// Files and folders, or a text that has no file. Adding again replaces; what has not changed is skipped.
await library.addText({
  title: '部署手册',
  text: '# 部署手册\n\n## Nginx\n\n跨域请求需要在 Nginx 中配置 Access-Control-Allow-Origin。\n',
});

// Whole passages, by document, best first.
const { results } = await library.search('Nginx 跨域怎么配置', { limit: 3 });
for (const { item, matched_chunks } of results) {
  for (const chunk of matched_chunks) {
    console.log(`${item.title} › ${chunk.heading}`);
    console.log(chunk.content);
    console.log(chunk.citation.ref);
  }
}

// Later: does the source still say so?
const cited = results[0]?.matched_chunks[0]?.citation;
if (cited) console.log((await library.verify(cited)).status);

await library.close();
