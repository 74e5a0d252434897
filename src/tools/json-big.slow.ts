import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readJson } from '../ingest/tables/table-json.js';
import { resolvePointer, stringNodes } from '../model/json/pointer.js';
import { CountingEmbedder, temporaryLibrary } from './library.suite.js';
import { openTools } from './open-tools.js';

const FOLDER = new URL('../../../shared/data/documents/json_big/', import.meta.url);
/** Each with a question that its texts answer, and a threshold that leaves some hundred strings. */
const FILES = [
  ['anthropic_docs.json', 'how do I stream a response', 3_000],
  ['box-openapi-v2025.0.json', 'sign request', 120],
  ['box-openapi.json', 'upload a file', 300],
  ['DRCD_dev.json', '梵語 語言學', 700],
  ['github_events.ndjson', 'fix the build', 600],
  ['cmrc2018_trial.json', '游戏 开发', 600],
  ['locomo10.conversations.json', 'adoption agency', 180],
] as const;

describe.skipIf(!existsSync(FOLDER))('tools over big real JSON', () => {
  it.each(FILES)(
    'S3.2 S3.3 %s: every string of the scope is found, and every result is a part of the string at its pointer',
    async (name, query, threshold) => {
      const file = fileURLToPath(new URL(name, FOLDER));
      const table = readJson(readFileSync(file, 'utf8'));
      const long = [...stringNodes(table)].filter(({ value }) => value.length >= threshold);
      const library = await temporaryLibrary({ embedder: new CountingEmbedder() });
      const tools = openTools(library);
      await tools.tables.put('big', { file });
      const { strings, notices } = await tools.create({
        name: 'ask',
        table_id: 'big',
        chunk_threshold_chars: threshold,
      });
      expect(notices).toEqual([]);
      expect(strings.added).toBe(long.length);
      const { results } = await tools.call('ask', { query, top_k: 100 });
      expect(results.length).toBeGreaterThan(20);
      for (const { chunk } of results) {
        const text = resolvePointer(table, chunk.json_pointer);
        expect(typeof text).toBe('string');
        expect(text).toContain(chunk.chunk_text);
      }
    },
    120_000,
  );
});
