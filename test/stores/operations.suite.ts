import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it } from 'vitest';
import { openLibrary } from '../../src/index.js';
import { StrataRetriever } from '../../src/langchain.js';
import { folder, PROGRAM } from '../strata.js';

export interface Store {
  /** As `--store` names it. */
  readonly spec: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly results: readonly {
    readonly item: { readonly title: string };
    readonly matched_chunks: readonly { readonly chunk_id: string }[];
  }[];
}

const titles = ({ results }: Answer): string[] => results.map(({ item }) => item.title);

/** Everything people do with a library, by the real program, on one store. */
export function describeOperations(name: string, store: (library: string) => Store): void {
  it(`B8 ${name}: add, status, search, verify, doctor, remove, backup and restore`, async () => {
    const here = folder({
      'docs/pumps.md': '# Pumps\n\n## Valves\n\nvalves of the pump\n',
      'docs/cats.md': '# 猫\n\n## 食物\n\n猫吃鱼\n',
    });
    const { spec, env = {} } = store(here.path);
    const run = async (...args: string[]) => {
      const done = await here.run(args, { env });
      expect(done.code, `${args.join(' ')}: ${done.stderr}`).toBe(0);
      return done;
    };
    await run('add', 'docs', '--store', spec);
    expect((await run('status', '--json')).json()).toMatchObject({ documents: 2, chunks: 2 });
    const found = (await run('search', 'valves', '--json')).json<Answer>();
    expect(titles(found)).toEqual(['Pumps']);
    expect(titles((await run('search', '猫吃鱼', '--json')).json<Answer>())).toEqual(['猫']);
    const chunk = found.results[0]!.matched_chunks[0]!.chunk_id;
    expect((await run('verify', chunk, '--json')).json()).toMatchObject({ status: 'unchanged' });
    expect((await run('doctor', '--json')).json()).toMatchObject({ findings: [] });
    await run('backup', join(here.path, 'kept'));
    await run('remove', 'docs/cats.md');
    expect((await run('status', '--json')).json()).toMatchObject({ documents: 1 });
    await run('restore', join(here.path, 'kept'), '--library', join(here.path, 'restored'));
    const restored = await run('search', '猫吃鱼', '--json', '--library', join(here.path, 'restored'));
    expect(titles(restored.json<Answer>())).toEqual(['猫']);
  });

  it(`B8 ${name}: watch follows a change`, async () => {
    const here = folder({ 'docs/a.md': '# A\n\napples\n' });
    const { spec, env = {} } = store(here.path);
    let watcher: ChildProcess | undefined;
    let said = '';
    const watching = here.run(['watch', 'docs', '--store', spec, '--json'], {
      env,
      onStart: (child) => {
        watcher = child;
        child.stdout?.on('data', (data) => {
          said += String(data);
        });
      },
    });
    const until = async (text: string) => expect.poll(() => said, { timeout: 60_000 }).toContain(text);
    await until('a.md');
    here.write({ 'docs/b.md': '# B\n\nblueberries\n' });
    await until('b.md');
    watcher!.kill('SIGINT');
    await watching;
    const answer = await here.run(['search', 'blueberries', '--json'], { env });
    expect(titles(answer.json<Answer>())).toEqual(['B']);
  });

  it(`B8 ${name}: an agent asks over MCP, LangChain by its retriever`, async () => {
    const here = folder({ 'docs/a.md': '# A\n\n## Fruit\n\napples and pears\n' });
    const { spec, env = {} } = store(here.path);
    expect((await here.run(['add', 'docs', '--store', spec], { env })).code).toBe(0);
    const library = join(here.path, '.strata');
    expect(existsSync(library)).toBe(true);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [PROGRAM, 'mcp', '--library', library, '--embedder', 'none'],
        cwd: here.path,
        env: { PATH: process.env.PATH!, HOME: join(here.path, '..'), ...env },
        stderr: 'ignore',
      }),
    );
    const answer = await client.callTool({ name: 'search_knowledge', arguments: { query: 'pears' } });
    expect(JSON.stringify(answer)).toContain('apples and pears');
    await client.close();
    const before = { ...process.env };
    Object.assign(process.env, env);
    const opened = await openLibrary({ library, cwd: here.path, store: spec, embedder: 'none' });
    const found = await new StrataRetriever({ library: opened }).invoke('pears');
    expect(found[0]!.pageContent).toContain('apples and pears');
    await opened.close();
    process.env = before;
  });
}
