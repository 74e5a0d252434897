import { describe, expect, it } from 'vitest';
import type { HeldGrant } from './access/principal.js';
import { describeTools, json, PATH, rows, withTool } from './tools.suite.js';

describeTools('sqlite');
// Files of JSON are slow, and meant for few documents.
describeTools('json', () => 'json', 200);

describe('who may use tables and tools', () => {
  it('S3.1 creating a tool needs permission on the table, and is refused clearly without', async () => {
    const { tools } = await withTool(3);
    const principal = { kind: 'user', name: 'guest', access: 'none', key: 'guest' } as const;
    await expect(tools.create({ name: 'mine', table_id: 'machines' }, { principal })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'table machines: there is none; `strata table list` shows what there is',
    });
    expect(await tools.list({ principal })).toEqual([]);
  });

  it('S3.1 a grant for a table does not show the tools that others have over it', async () => {
    const { tools } = await withTool(3);
    await tools.create({ name: 'seen', table_id: 'machines', path: PATH });
    const table = { kind: 'table', id: 'machines', access: 'write' } as const;
    const tool = { kind: 'tool', id: 'seen', access: 'read' } as const;
    const holder = (grants: readonly HeldGrant[]) =>
      ({ principal: { kind: 'user', name: 'eve', access: 'none', key: 'eve', grants } }) as const;
    const namesOf = async (grants: readonly HeldGrant[]) =>
      (await tools.tables.put('machines', json(rows(3)), holder(grants))).tools.map(
        ({ tool: { name } }) => name,
      );
    expect(await namesOf([table])).toEqual([]);
    expect(await namesOf([table, tool])).toEqual(['seen']);
    await expect(tools.tables.remove('machines', holder([table]))).rejects.toThrow(
      /^table machines: tools use it; an editor of the library can remove them first$/,
    );
    await expect(tools.tables.remove('machines', holder([table, tool]))).rejects.toThrow('use it (seen);');
    expect((await tools.tables.put('machines', json(rows(3)))).tools).toHaveLength(2);
  });
});
