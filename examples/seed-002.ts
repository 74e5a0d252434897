import { ContentChunker, KnowledgeChunk, SQLiteStorageManager } from 'strata-kb/seeds';

// Seed 002: a long text in chunks, kept with its item in SQLite, found again by the ids it was saved with.
const content = `# 指南\n\n## 安装\n\n${'先装好依赖再启动服务。'.repeat(30)}\n\n## 备份\n\n${'每天夜里备份一次数据库。'.repeat(30)}\n`;
const chunks = new ContentChunker({ max_chunk_size: 500 }).chunk(content, 'item-1');
const storage = await SQLiteStorageManager.open('knowledge-002.db');
await storage.saveItem({ id: 'item-1', title: '指南', content }, chunks);
const [hit] = await storage.search('备份数据库');
console.log(hit?.item.id, hit?.matched_chunks[0]?.heading, hit?.matched_chunks[0]?.start_position);
const [first] = await storage.getChunksForItem('item-1');
if (first)
  console.log(KnowledgeChunk.fromDict(first.toDict()).heading, await storage.getAdjacentChunks('item-1', 0));
await storage.close();
