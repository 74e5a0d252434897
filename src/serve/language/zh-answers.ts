import type { Translations } from './language.js';

/** What commands print as their answer, and what `doctor` finds. */
export const ZH_ANSWERS: Translations = {
  ', ': '，',
  ' ({1})': '（{1}）',
  Library: '资料库',
  'Also looked for:': '同时查找了：',
  // search, scout
  'Nothing matches.': '没有匹配的内容。',
  'Nothing matches "{1}".': '没有与“{1}”匹配的内容。',
  '{1} match': '匹配 {1}',
  'its file is gone': '文件已不存在',
  'changed since it was added': '加入后有改动',
  'Summary:': '摘要：',
  'The file has changed since it was added': '文件在加入后有改动',
  'The file is no longer there': '文件已不存在',
  // add, watch
  '  and {1} more': '  另有 {1} 个',
  '  skipped {1}: {2}': '  跳过 {1}：{2}',
  '  {1} that could not be read before, unchanged; --force tries again, --json has the reasons':
    '  {1}以前无法读取，至今未变；--force 再试一次，--json 列出原因',
  ' Interrupted: run it again for the rest.': ' 已中断：再运行一次可完成其余部分。',
  'Would be: ': '将会：',
  '{1}{2} in {3} s.': '{1}{2}，用时 {3} 秒。',
  '{1} added': '新增 {1}',
  '{1} changed': '更新 {1}',
  '{1} renamed': '改名 {1}',
  '{1} unchanged': '未变 {1}',
  '{1} removed': '移除 {1}',
  '{1} skipped': '跳过 {1}',
  '{1} failed': '失败 {1}',
  added: '新增',
  changed: '更新',
  renamed: '改名',
  unchanged: '未变',
  removed: '移除',
  skipped: '跳过',
  failed: '失败',
  moved: '已移动',
  gone: '已消失',
  'could not be parsed: {1}': '无法解析：{1}',
  'is nested too deeply to parse': '嵌套太深，无法解析',
  'is too large to parse': '太大，无法解析',
  // backup, restore, move, rebuild, embed
  'Copied {1}, {2}, {3} to {4}': '已复制 {1}、{2}，共 {3}，到 {4}',
  'Restored {1}, {2} to {3}': '已恢复 {1}、{2} 到 {3}',
  'What was there before is in {1}; delete it when all is well.':
    '原来的内容在 {1}；确认一切正常后可以删除。',
  'Copied and compared {1} to {2}': '已复制并比较 {1} 到 {2}',
  'The library is kept there now; what is left in {1} can be deleted when all is well.':
    '资料库现在保存在那里；确认一切正常后可以删除留在 {1} 的内容。',
  'The library is still kept where it was; the same command with --switch changes that.':
    '资料库仍保存在原处；同一命令加 --switch 即可切换。',
  'Rebuilt {1}: {2}.': '已重建 {1}：{2}。',
  '{1} passages kept, {2} new, {3} gone': '保留 {1} 个段落，新增 {2}，消失 {3}',
  'Made {1}; {2}.': '已生成 {1}；{2}。',
  'none is missing': '没有缺少的',
  '{1} still without': '还有 {1}没有',
  // trust
  ' (taken back)': '（已收回）',
  'You have agreed to nothing: every library is used as data only.':
    '你没有同意过任何事：每个资料库都只当作数据使用。',
  '{1}: asks for nothing that needs your agreement.': '{1}：没有需要你同意的要求。',
  '{1}: there was nothing that you had agreed to.': '{1}：没有你同意过的事。',
  // doctor
  'All is well.': '一切正常。',
  repaired: '已修复',
  note: '说明',
  '{1} left. `strata doctor --fix` repairs what can be repaired.':
    '还有 {1} 处。`strata doctor --fix` 会修复能修复的。',
  '{1} cannot be read: {2}': '{1} 无法读取：{2}',
  '{1} is damaged': '{1} 已损坏',
  '{1} is missing or no folder': '{1} 缺失，或不是文件夹',
  '{1} is damaged: its {2} vectors will be made again': '{1} 已损坏：其中的 {2} 个向量会重新生成',
  'Document {1}: {2}{3}': '文档 {1}：{2}{3}',
  'The index cannot be read.': '索引无法读取。',
  '{1}: {2}: mended from its text': '{1}：{2}：已用它的文本修好',
  'The definition of the {1} {2} is damaged.': '{1} {2} 的定义已损坏。',
  'The {1} {2} is not one of Strata’s.': '{1} {2} 不是 Strata 的。',
  '{1}; add it again': '{1}；请重新添加',
};
