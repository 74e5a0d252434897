import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { VectorStoreInterface } from '@langchain/core/vectorstores';
import { letterEmbeddings, vectorStoreContract } from './store.suite.js';

/** The contract our store keeps is LangChain's: its own in-memory store keeps it too. */
const classic = join(
  import.meta.dirname,
  '../../../test/clients/node_modules/@langchain/classic/dist/vectorstores/memory.js',
);

vectorStoreContract('LangChain MemoryVectorStore', async () => {
  const { MemoryVectorStore } = await import(pathToFileURL(classic).href);
  return new MemoryVectorStore(letterEmbeddings) as VectorStoreInterface;
});
