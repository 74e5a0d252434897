// The chunkers that are compared, each as text → chunks ({ text, headed }): one target size, overlap where they have it.
// `headed` says that a chunk carries its heading beside its text; `offsets` what each tells about where a chunk stands.
export const SIZE = 1000;
export const OVERLAP = 180;

export const CHUNKERS = {
  strata: {
    label: 'Strata hierarchical',
    offsets: 'UTF-16',
    /** What the others give, too: the text of each chunk, and where it stands. */
    async create() {
      const { chunkSettings, cutDocument, DEFAULT_LIMITS, parseDocument } = await import('strata-kb');
      const settings = chunkSettings({ max: SIZE, overlap: OVERLAP / SIZE });
      return async ({ name, bytes }) => {
        const tree = await parseDocument({ bytes, name, limits: DEFAULT_LIMITS });
        return cutDocument(tree, settings).map(({ start, end, section }) => ({
          text: tree.text.slice(start, end),
          headed: section >= 0,
        }));
      };
    },
  },
  'strata-records': {
    label: 'Strata, full records',
    offsets: 'UTF-16, lines, page',
    /** With SHA-256 hashes, ids, token counts, summaries and lines of every chunk: what a library stores. */
    async create() {
      const { chunkDocument, chunkSettings, DEFAULT_LIMITS, parseDocument } = await import('strata-kb');
      const settings = chunkSettings({ max: SIZE, overlap: OVERLAP / SIZE });
      return async ({ name, bytes }) => {
        const tree = await parseDocument({ bytes, name, limits: DEFAULT_LIMITS });
        return chunkDocument(tree, {
          doc_id: name,
          title: tree.title ?? name,
          source: name,
          settings,
        }).chunks.map((chunk) => ({ text: chunk.content, headed: chunk.title_path.length > 0 }));
      };
    },
  },
  'langchain-recursive': {
    label: 'LangChain 1.0.2 recursive',
    offsets: 'lines',
    create: () => langchain('RecursiveCharacterTextSplitter'),
  },
  'langchain-markdown': {
    label: 'LangChain 1.0.2 markdown',
    offsets: 'lines',
    create: () => langchain('MarkdownTextSplitter'),
  },
  chonkie: {
    label: 'chonkie 0.0.11 recursive',
    offsets: 'yes',
    async create() {
      const { RecursiveChunker } = await import('@chonkiejs/core');
      const chunker = await RecursiveChunker.create({ chunkSize: SIZE });
      return async ({ bytes }) =>
        (await chunker.chunk(bytes.toString())).map(({ text }) => ({ text, headed: false }));
    },
  },
  'llamaindex-markdown': {
    label: 'LlamaIndex 0.6.22 markdown',
    offsets: 'yes',
    async create() {
      const { MarkdownNodeParser } = await import('@llamaindex/core/node-parser');
      const { Document } = await import('@llamaindex/core/schema');
      const parser = new MarkdownNodeParser();
      return async ({ bytes }) =>
        parser.getNodesFromDocuments([new Document({ text: bytes.toString() })]).map((node) => ({
          text: node.text,
          headed: Object.keys(node.metadata).length > 0,
        }));
    },
  },
};

async function langchain(name) {
  const splitters = await import('@langchain/textsplitters');
  const splitter = new splitters[name]({ chunkSize: SIZE, chunkOverlap: OVERLAP });
  return async ({ bytes }) =>
    (await splitter.createDocuments([bytes.toString()])).map(({ pageContent }) => ({
      text: pageContent,
      headed: false,
    }));
}
