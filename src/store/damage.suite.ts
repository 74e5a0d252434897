import { describe, expect, it } from 'vitest';
import type { Backend } from './backend.js';
import { sampleWrite } from './sample.js';

/** What a store tells of passages that somebody else has changed. `spoil` gives one another content behind its back. */
export function describeDamage(
  current: () => Backend,
  spoiler: () => ((chunkId: string) => Promise<void>) | undefined,
): void {
  describe('damage', () => {
    it('S1.3 leaves out a passage that is not as it was written, and says so until it is repaired', async ({
      skip,
    }) => {
      const spoil = spoiler();
      if (spoil === undefined) return skip();
      const backend = current();
      const writes = ['one', 'two'].map((title) =>
        sampleWrite({
          source: `file:${title}.md`,
          title,
          parts: ['first', 'second', 'third'].map((heading) => ({ heading, body: `${title} ${heading}` })),
        }),
      );
      await backend.commit({ put: writes });
      const ids = writes.flatMap(({ chunks }) => chunks.map(({ chunk }) => chunk.id));
      await spoil(ids[0]!);
      const asked = (await backend.forOneQuestion?.()) ?? backend;
      expect((await asked.chunksById(ids)).map(({ id }) => id)).toEqual(ids.slice(1));
      expect(await asked.chunksOf(writes[0]!.document.id)).toHaveLength(2);
      const [finding, ...more] = await backend.damage!();
      expect(finding).toMatchObject({ area: 'record', fixed: false });
      expect(finding!.message).toMatch(/is damaged/);
      expect(finding!.message).toContain(ids[0]);
      expect(more).toEqual([]);
      const repaired = await backend.check({ fix: true });
      expect(new Set(repaired.map(({ fixed }) => fixed))).toEqual(new Set([true]));
      expect(await backend.damage!()).toEqual([]);
      expect(await backend.check()).toEqual([]);
    });
  });
}
