/** `strata-kb/langchain`: Strata's parts as LangChain's. `@langchain/core` and `@langchain/textsplitters` are peers. */
export { StrataRetriever, type StrataRetrieverInput } from './serve/langchain/retriever.js';
export { StrataTextSplitter, type StrataTextSplitterParams } from './serve/langchain/splitter.js';
export { StrataEmbeddings, StrataVectorStore } from './serve/langchain/store.js';
