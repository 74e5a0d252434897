import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { search } from '../../search/search.js';
import { smallLibrary } from '../../search/small-library.suite.js';
import { displayWidth } from '../cli/terminal.js';
import type { View } from '../operation.js';
import { searchAsText } from './search-text.js';

const view: View = { colour: false, width: 80, quiet: false, cwd: '/' };

const GUIDE = `# Guide

## Backups

A backup is a copy of the library, made while others go on
reading and writing. It holds every document.

- Restore it with \`strata restore\`.
- Keep the copy on another disk.

\`\`\`sh
strata backup /mnt/backup
# then look at it
strata status
\`\`\`
`;

const shown = async (
  texts: readonly string[],
  query: string,
  options: Partial<View> = {},
): Promise<string> => {
  const backend = await smallLibrary(texts.map((text, at) => ({ name: `docs/d${at}.md`, text })));
  const answer = await search(
    { backend, embedder: null },
    { query, mode: 'keyword', limit: 5, chunks_per_document: 1 },
  );
  return searchAsText({ ...answer, notices: [] }, { ...view, ...options });
};

describe('an answer for a person', () => {
  it('B3 has titles, how well it matches, one place, a short id, and the best sentences with their own lines', async () => {
    const lines = (await shown([GUIDE], 'where to keep a backup copy')).split('\n');
    expect(lines[0]).toMatch(/^1\. Guide › Backups {2}\d+ % match$/);
    expect(lines[1]).toMatch(/^ {3}docs\/d0\.md:\d+ {2}#[0-9a-f]{6}$/);
    expect(lines).toContain('   - Keep the copy on another disk.');
    // A line that was only wrapped is joined; the heading stands above, and fences say nothing.
    expect(lines.join('\n')).toContain('go on reading');
    expect(lines.join('\n')).not.toMatch(/##|```/);
  });

  it('B3 code keeps its lines and its comments', async () => {
    const text = await shown([GUIDE], 'strata backup mnt status');
    expect(text).toContain('   strata backup /mnt/backup\n   # then look at it\n   strata status');
  });

  it('B3 --full shows the whole passage as it is written', async () => {
    const text = await shown([GUIDE], 'backup', { full: true });
    for (const line of GUIDE.split('\n').slice(2)) expect(text).toContain(line.trim());
  });

  it('B3 fits 40 lines of 80 columns, whatever the documents say; no word is cut in two', async () => {
    const word = fc.constantFrom(
      'backup',
      'copy',
      'a',
      'longer-compound-word',
      '备份',
      '资料库的副本',
      '\n',
      '\n\n',
      '- item',
      '```',
      '# Title\n',
      '| a | b |\n',
      '\t',
    );
    const text = fc.array(word, { minLength: 1, maxLength: 120 }).map((words) => words.join(' '));
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 60, max: 130 }),
        async (texts, width) => {
          const printed = await shown(texts, 'backup copy 备份', { width });
          const lines = printed.split('\n');
          expect(lines.length).toBeLessThanOrEqual(40);
          for (const line of lines) expect(displayWidth(line), line).toBeLessThanOrEqual(width);
          for (const one of printed.match(/longer\S*|\S*compound-?\S*/g) ?? [])
            expect(one).toMatch(/longer-compound-word/);
        },
      ),
      { numRuns: 60 },
    );
  });
});
