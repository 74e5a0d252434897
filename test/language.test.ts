import { describe, expect, it } from 'vitest';
import { folder } from './strata.js';

const isChinese = (text: string): boolean => /\p{Script=Han}/u.test(text);

describe('the program speaks the language of its user', () => {
  it('B16 help, errors, answers and suggestions are Chinese under LANG=zh_CN', async () => {
    const place = folder({ 'a.md': '# 运维\n\n## 备份\n\n每天两点备份。\n' });
    const zh = { env: { LANG: 'zh_CN.UTF-8', LC_ALL: '' } };
    const help = await place.run(['search', '--help'], zh);
    expect(help.stdout).toMatch(/^用法：/);
    const added = await place.run(['add', 'a.md', '--no-embed'], zh);
    expect(added.stdout).toMatch(/新增 1（/);
    const wrong = await place.run(['serch', 'x'], zh);
    expect(wrong.stderr).toContain('不认识命令“serch”');
    expect(wrong.stderr).toContain('search');
    const missing = await place.run(['add', 'none.md'], zh);
    expect(missing.stderr).toContain('none.md');
    expect(isChinese(missing.stderr)).toBe(true);
  });

  it('B16 --lang counts before LANG, and --json never changes', async () => {
    const place = folder({ 'a.md': '# Guide\n\ntext\n' });
    const zh = { env: { LANG: 'zh_CN.UTF-8', LC_ALL: '' } };
    expect((await place.run(['add', 'a.md', '--no-embed', '--lang', 'en'], zh)).stdout).toContain('1 added');
    const english = await place.strata('status', '--json');
    const chinese = await place.strata('status', '--json', '--lang', 'zh');
    expect(chinese.stdout).toBe(english.stdout);
  });

  it('B16 answers have no English words of ours under --lang zh, also written before the command', async () => {
    const place = folder({ '指南.md': '# 运维\n\n## 备份\n\n每天两点备份。\n', 't.json': '{"a": "文本"}' });
    const zh = (...args: string[]) => place.run(['--lang', 'zh', ...args]);
    await zh('add', '指南.md', '--no-embed');
    const { documents } = (await place.strata('list', '--json')).json<{ documents: { id: string }[] }>();
    const answers = await Promise.all([
      zh('status'),
      zh('list'),
      zh('list', '--path', '没有'),
      zh('show', '指南.md'),
      zh('inspect', documents[0]!.id),
      zh('remove', '--dry-run', '指南.md'),
      zh('table', 'list'),
      zh('tool', 'list'),
      zh('models'),
      zh('audit'),
      zh('trust', 'list'),
    ]);
    for (const { stdout } of answers) {
      expect(isChinese(stdout)).toBe(true);
      expect(stdout).not.toMatch(
        /\b(Library|Store|Documents|Passages|Meaning|Path|Changed|Length|Document:|Would|Removed|here|dimensions|verified|done|documents?|No)\b/,
      );
    }
  });
});
