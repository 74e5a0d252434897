import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLibrary } from '../engine/open.js';
import { LOCAL_PRINCIPAL } from '../tools/access/principal.js';
import { readInput } from './fields.js';
import type { Context, View } from './operation.js';
import { operationNamed } from './operations.js';
import { outputSchema } from './schemas.js';

describe('what operations answer', () => {
  it('has the shape their schemas say, and can be shown to a person', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'strata-outputs-'));
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
    mkdirSync(join(cwd, 'docs'));
    writeFileSync(
      join(cwd, 'docs/a.md'),
      '---\ntags: [x]\n---\n# Alpha\n\n## One\n\nApples.\n\n## Two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
    );
    writeFileSync(join(cwd, 'docs/b.bin'), Buffer.from([0, 1, 2, 0, 255]));
    const options = { library: join(cwd, '.strata'), embedder: 'none', cwd };
    const library = await openLibrary(options);
    const context: Context = {
      principal: LOCAL_PRINCIPAL,
      signal: new AbortController().signal,
      progress: () => {},
      notice: () => {},
      cwd,
      library: options,
    };
    const view: View = { colour: true, width: 60, quiet: false, cwd };
    const ask = async (name: string, given: Record<string, unknown>): Promise<unknown> => {
      const operation = operationNamed(name)!;
      const input = readInput(operation.input, given);
      const answer = await operation.handler(operation.library === 'none' ? null : library, input, context);
      // As programs get it: through JSON.
      const parsed = outputSchema(operation).safeParse(JSON.parse(JSON.stringify(answer)));
      expect({ name, problem: parsed.error?.message }).toEqual({ name, problem: undefined });
      expect(parsed.data).toEqual(JSON.parse(JSON.stringify(answer)));
      const shown = await operation.render(answer, view, input);
      expect(typeof shown === 'string' ? shown : [...shown].join('')).toBeTypeOf('string');
      return answer;
    };
    const added = (await ask('add', { paths: ['docs'] })) as { added: number; failed: number };
    expect(added).toMatchObject({ added: 1, failed: 1 });
    const { results } = (await ask('search', { query: 'apples', explain: true })) as {
      results: { item: { id: string }; matched_chunks: { chunk_id: string }[] }[];
    };
    const [found] = results;
    await ask('scout', { query: 'apples' });
    await ask('inspect', { id: found!.matched_chunks[0]!.chunk_id });
    await ask('inspect', { id: found!.item.id });
    await ask('list', {});
    await ask('show', { document: found!.item.id });
    await ask('status', {});
    await ask('parse', { paths: [join(cwd, 'docs/a.md'), join(cwd, 'docs/b.bin')] });
    await ask('rebuild', {});
    await ask('doctor', {});
    await ask('remove', { targets: ['docs'] });
    await library.close();
  });
});
