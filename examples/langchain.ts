import { openLibrary } from 'strata-kb';
import { StrataRetriever, StrataTextSplitter } from 'strata-kb/langchain';

// A TextSplitter that cuts at headings and sentences, with exact lines.
const splitter = new StrataTextSplitter({ chunkSize: 800, chunkOverlap: 80 });
const [piece] = await splitter.createDocuments([
  '# Guide\n\n## Backups\n\nA backup runs every night at two.\n',
]);
console.log(piece?.metadata.title_path, piece?.metadata.loc.lines);

// A Retriever over a library: any LangChain chain takes it.
const library = await openLibrary({ library: 'notes/.strata', embedder: 'none' });
await library.addText({ title: 'Backups', text: '# Backups\n\nRestoring a backup takes one command.\n' });
const retriever = new StrataRetriever({ library, k: 2 });
for (const passage of await retriever.invoke('How do I restore a backup?')) {
  console.log(passage.pageContent, passage.metadata.citation);
}
await library.close();
