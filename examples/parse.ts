import { parse } from 'strata-kb';

// No library involved: a file's structure and its chunks. `hierarchical` is the default, `h2` and `content` the others.
const document = await parse('README.md', { strategy: 'hierarchical', max: 1200 });

console.log(`${document.title}: ${document.sections.length} sections, ${document.chunk_count} chunks`);
for (const chunk of document.chunks) {
  // Every chunk is a slice of the text, and knows its place.
  console.log(
    document.text.slice(chunk.start_position, chunk.end_position) === chunk.content,
    chunk.title_path,
  );
}
