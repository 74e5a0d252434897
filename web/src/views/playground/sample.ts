/** A text with what cutting is about: sections, a table, code, a list, and both languages. */
export const SAMPLE = `# Rolling updates

A rolling update replaces the running version of an application step by step. At no time are all copies gone, so users notice nothing. When the new version fails its checks, the update stops by itself and the old copies go on serving.

## How many at once

Two numbers decide how fast it goes. The first says how many copies may be missing while the update runs, the second how many may be started beyond the wanted number.

| setting | default | meaning |
| --- | --- | --- |
| maxUnavailable | 25 % | copies that may be missing |
| maxSurge | 25 % | copies beyond the wanted number |

\`\`\`yaml
strategy:
  type: RollingUpdate
  rollingUpdate:
    maxUnavailable: 1
    maxSurge: 1
\`\`\`

## Going back

Every change is kept as a revision. Going back means rolling out an older revision in the same careful way:

- look at the history,
- choose the revision that worked,
- roll it out and watch.

# 滚动更新

滚动更新逐步替换正在运行的版本，任何时候都不会让所有副本同时消失，因此用户不会察觉。如果新版本没有通过检查，更新会自动停止，旧副本继续提供服务。

## 回滚

每次修改都会保存为一个修订版本。回滚就是用同样谨慎的方式重新发布较早的版本：先查看历史，再选择曾经正常的版本，最后发布并观察。
`;
