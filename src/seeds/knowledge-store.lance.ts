import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { KnowledgeStore, parse } from './knowledge-store.js';

const markdown = (title: string, body: string): string =>
  `# ${title}\n\n## Intro\n\n${body}\n\n## More\n\nother words\n`;

it('S0.5 a KnowledgeStore in a LanceDB directory: made or opened, parents and children by title and summary', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strata-lance-'));
  const directory = join(folder, 'kb');
  await writeFile(join(folder, 'nginx.md'), markdown('Nginx 部署', 'a reverse proxy'));
  await writeFile(join(folder, 'cats.md'), markdown('Cats', 'nothing about servers'));
  const store = await KnowledgeStore.openLance(directory);
  for (const name of ['nginx.md', 'cats.md']) await store.add(await parse(join(folder, name)));
  await store.close();
  const again = await KnowledgeStore.openLance(directory);
  const briefs = await again.scout('部署');
  expect(briefs.map(({ title }) => title)).toContain('Nginx 部署');
  expect(briefs.some(({ is_parent }) => is_parent)).toBe(true);
  expect((await again.search('proxy'))[0]).toMatchObject({ parent_doc_title: 'Nginx 部署' });
  await again.close();
  await rm(folder, { recursive: true, force: true });
});
