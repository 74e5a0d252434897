import type { Translations } from './language.js';

/** Tables, search tools, users, keys and endpoints. */
export const ZH_TOOLS: Translations = {
  'Another process is changing the tables of this library; waiting for it.':
    '另一个进程正在更改这个资料库的表；正在等待。',
  'Its vectors at turbopuffer could not be deleted yet; the next `strata tool` command that reaches it finishes this.':
    'turbopuffer 上的向量暂时无法删除；下一个能连到它的 `strata tool` 命令会完成。',
  'pointer, path: a scope is one of them, not both': 'pointer、path：范围只能用其中之一，不能两个都用',
  'chunk_threshold_chars: must be a whole number from 1': 'chunk_threshold_chars：必须是从 1 起的整数',
  'top_k: must be a whole number from 1 to {1}': 'top_k：必须是 1 到 {1} 的整数',
  'Search the long texts of the table {1}.': '检索表 {1} 里的长文本。',
  'tool {1}: exists with another scope (table {2}, {3}, threshold {4}); remove it first, or choose another name':
    '工具 {1}：已存在，但范围不同（表 {2}，{3}，阈值 {4}）；请先删除它，或换一个名称',
  'a patch is a list of operations (RFC 6902)': '补丁是操作的列表（RFC 6902）',
  'operation {1}: {2}': '操作 {1}：{2}',
  'is no object': '不是对象',
  '"{1}" is not what the patch expects there': '“{1}”与补丁所期望的不符',
  'op {1} is none of add, remove, replace, move, copy, test':
    'op {1} 不是 add、remove、replace、move、copy、test 之一',
  '"{1}" cannot be moved into itself': '“{1}”不能移到自身之内',
  'nothing is at "{1}"; `strata table get` without a pointer shows the whole table':
    '“{1}”处没有内容；不带指针的 `strata table get` 显示整张表',
  'nothing is at "{1}"': '“{1}”处没有内容',
  '"{1}" holds nothing': '“{1}”不含任何内容',
  '"{1}" is no place in a list of {2}': '“{1}”不是长度为 {2} 的列表中的位置',
  'has no "{1}" that is a JSON pointer': '没有作为 JSON 指针的“{1}”',
  'has no "value"': '没有“value”',
  'it has more than {1} characters': '超过 {1} 个字符',
  'it must start with "$"': '必须以“$”开头',
  'expected a quoted name, an index, a slice or "*"': '应为带引号的名称、序号、切片或“*”',
  'a quote is not closed': '引号没有闭合',
  '{1}{2}{3} has an escape that is none': '{1}{2}{3} 里的转义无效',
  '{1} is no index': '{1} 不是序号',
  'at {1}: {2}': '在 {1} 处：{2}',
  '"{1}" is no JSON path (RFC 9535): {2}': '“{1}”不是 JSON 路径（RFC 9535）：{2}',
  'is {1} bytes of JSON; a table may have {2}': '是 {1} 字节的 JSON；一张表最多 {2}',
  'is no JSON; correct it: {1}': '不是 JSON，请改正：{1}',
  'file, content: name a file, or give the JSON; one of the two':
    'file、content：请写一个文件，或给出 JSON；二者择一',
  // What the engine's own reader of JSON says.
  'Unexpected end of JSON input': '中途结束',
  "is no JSON; correct it: Expected property name or '}' ({1})": '不是 JSON，请改正：应为属性名或“}”（{1}）',
  "is no JSON; correct it: Expected ',' or '}' after property value ({1})":
    '不是 JSON，请改正：属性值之后应为“,”或“}”（{1}）',
  "is no JSON; correct it: Expected ',' or ']' after array element ({1})":
    '不是 JSON，请改正：列表元素之后应为“,”或“]”（{1}）',
  "is no JSON; correct it: Expected ':' after property name ({1})":
    '不是 JSON，请改正：属性名之后应为“:”（{1}）',
  'is no JSON; correct it: Expected double-quoted property name ({1})':
    '不是 JSON，请改正：属性名应带双引号（{1}）',
  'is no JSON; correct it: Unterminated string ({1})': '不是 JSON，请改正：字符串没有结束（{1}）',
  'is no JSON; correct it: Unexpected non-whitespace character after JSON at position {1}':
    '不是 JSON，请改正：结束之后还有内容（位置 {1}）',
  'is no JSON; correct it: Unexpected token {1}, {2} is not valid JSON':
    '不是 JSON，请改正：{2} 里不该有 {1}',
  'line {1}, column {2}': '第 {1} 行第 {2} 列',
  'is nested more than {1} levels deep': '嵌套超过 {1} 层',
  'query: is empty; ask a question': 'query：是空的；请提一个问题',
  'query: must be at most {1} characters': 'query：最多 {1} 个字符',
  'The table has changed and its index not yet: `strata tool reindex` brings it into step.':
    '表已改动而索引尚未更新：`strata tool reindex` 会使其一致。',
  'the library has no embedder': '资料库没有嵌入器',
  'the tool’s texts have no vectors yet (`strata embed` makes them)':
    '该工具的文本还没有向量（`strata embed` 可生成）',
  'Searched by words and meaning: some of the tool’s texts have no vectors yet (`strata embed` makes them).':
    '按词和含义检索：该工具的部分文本还没有向量（`strata embed` 可生成）。',
  'The tool covers no strings: none in its scope has {1} characters or more.':
    '该工具不含任何字符串：其范围内没有达到 {1} 个字符的字符串。',
  'Vectors cover {1} % of the library so far; `strata embed` makes the rest.':
    '目前向量覆盖资料库的 {1} %；`strata embed` 可生成其余的。',
  'Indexing strings': '索引字符串',
  'tool "{1}": a name is letters, digits, "_" and "-", at most 64 of them':
    '工具“{1}”：名称由字母、数字、“_”和“-”组成，最多 64 个',
  'namespace "{1}": letters, digits, ".", "_" and "-", at most 128 of them':
    '命名空间“{1}”：由字母、数字、“.”、“_”和“-”组成，最多 128 个',
  'table "{1}": an id is letters, digits, ".", "_" and "-", at most 64, starting with a letter or digit':
    '表“{1}”：id 由字母、数字、“.”、“_”和“-”组成，最多 64 个，以字母或数字开头',
  'table {1}: a part of it is missing; put it again': '表 {1}：缺少一部分；请重新存入',
  'table {1}: tools use it; an editor of the library can remove them first':
    '表 {1}：有工具在用；请先由资料库的编辑者删除它们',
  'table {1}: tools use it ({2}); `strata tool remove` removes them first':
    '表 {1}：有工具在用（{2}）；请先用 `strata tool remove` 删除它们',
  '{1} bytes of JSON are more than a table may have ({2})': '{1} 字节的 JSON 超过一张表的上限（{2}）',
  'a table job gave no table': '处理表的任务没有给出表',
  'table {1}: {2}': '表 {1}：{2}',
  'Keep a JSON file as a table': '把 JSON 文件存为表',
  'Keeps JSON in the library under an id, in the place of what was there. Search tools over the table follow: only strings that have changed are indexed again. A file with one JSON value per line (NDJSON) becomes a list. At most 128 MB; large files are read and parsed in a process of their own.':
    '以一个 id 把 JSON 存进资料库，替换原有的内容。以此表为范围的检索工具会随之更新：只重新索引变化的字符串。每行一个 JSON 值的文件（NDJSON）成为列表。最多 128 MB；大文件在单独的进程里读取和解析。',
  'The table': '表',
  'Print a table, or what stands at a JSON pointer': '打印一张表，或 JSON 指针处的内容',
  'Prints the JSON of a table, or of the value at a JSON pointer (RFC 6901), such as a search tool gives with each result.':
    '打印表的 JSON，或 JSON 指针（RFC 6901）处的值；检索工具的每个结果都带有这样的指针。',
  'Only what stands there: /rules/0/text': '只要那里的内容：/rules/0/text',
  'List the tables of the library': '列出资料库里的表',
  'The tables, how many strings each holds, and how large it is.': '各个表、所含字符串数和大小。',
  'Change parts of a table': '更改表的一部分',
  'Changes a table by a JSON Patch (RFC 6902: add, remove, replace, move, copy, test), all of it or nothing; or, with --pointer, puts one value in the place of the one there. Search tools over the table follow: only strings that have changed are indexed again.':
    '用 JSON Patch（RFC 6902：add、remove、replace、move、copy、test）更改表，要么全部生效要么全不生效；加 --pointer 则替换该处的一个值。以此表为范围的检索工具会随之更新：只重新索引变化的字符串。',
  'Where the value goes (RFC 6901); without it the JSON is a patch':
    '值放在哪里（RFC 6901）；不写则 JSON 是补丁',
  'The file with the patch, or with the new value': '含补丁或新值的文件',
  'Remove a table that no tool uses': '删除没有工具使用的表',
  'Removes a table. Refused while search tools use it: remove those first.':
    '删除一张表。有检索工具在用时会拒绝：请先删除它们。',
  'Make a search tool of the long strings of a table': '用表里的长字符串做检索工具',
  'Finds every string in the scope (a JSON pointer or a JSON path of a table) that is long enough, cuts it into passages and indexes them: by words at once, then by meaning. The same name with the same scope again changes nothing, and finishes what was interrupted. Ctrl-C leaves the vectors that are missing for later (`strata embed`).':
    '找出范围内（表的 JSON 指针或 JSON 路径）足够长的每个字符串，切成段落并索引：先按词，再按含义。以同样的名称和范围再做一次不会有变化，只会完成中断的部分。按 Ctrl-C 可把还缺的向量留到以后（`strata embed`）。',
  'Strings at or below this JSON pointer (RFC 6901); all of the table without one':
    '此 JSON 指针（RFC 6901）处及其下的字符串；不写则为整张表',
  "Strings at or below what this JSON path selects (RFC 9535): '$.rules[*].text'":
    "此 JSON 路径（RFC 9535）所选处及其下的字符串：'$.rules[*].text'",
  'When an agent should use the tool, and what for': '智能体何时、为何使用这个工具',
  'By meaning alone (default), or by words and meaning': '只按含义（默认），或按词和含义',
  'Who is asked for the nearest: embedded (default), or turbopuffer:NAMESPACE':
    '由谁找最近的：embedded（默认），或 turbopuffer:NAMESPACE',
  'The tool, as agents will call it': '工具的名称，智能体将以此调用',
  'List the search tools of the library': '列出资料库的检索工具',
  'The search tools, what each covers, and how many passages it searches.':
    '各个检索工具、覆盖范围和检索的段落数。',
  'Show a search tool': '显示一个检索工具',
  'All that is known of a search tool: its scope, its settings, and how far its index is.':
    '检索工具的全部信息：范围、设置和索引进度。',
  'The tool': '工具',
  'Ask a search tool, as an agent would': '像智能体那样询问检索工具',
  'How many results (else the tool’s own number)': '多少个结果（否则用工具自己的数目）',
  'The question': '问题',
  'Bring a search tool into step with its table': '使检索工具与表一致',
  'Compares the table, the library and, where the tool has its vectors there, turbopuffer, and repairs what differs: whatever was interrupted is finished, what was left behind is removed. What is as it should be is not made again.':
    '比较表、资料库以及（向量在那里时）turbopuffer，并修复不一致之处：完成中断的，删除遗留的。本来就对的不会重做。',
  'Remove a search tool and its index': '删除检索工具及其索引',
  'Removes a search tool with the passages and vectors that no other tool needs, at turbopuffer too. The table stays. A clean-up that cannot reach turbopuffer is kept, and finished by the next command that can.':
    '删除检索工具以及没有别的工具需要的段落和向量，turbopuffer 上的也一并删除。表保留。连不到 turbopuffer 的清理会记下，由下一个能连到的命令完成。',
  'JSON on the command line': '命令行上的 JSON',
  'all of it': '全部',
  'one string': '一个字符串',
  'all tables': '全部表',
  'a JSON Patch': '一个 JSON Patch',
  'one value': '一个值',
  'the table and its JSON': '表及其 JSON',
  'over the texts of all rules': '覆盖所有规则的文本',
  'words and meaning, shorter strings too': '按词和含义，较短的字符串也算',
  'all search tools': '全部检索工具',
  'one tool': '一个工具',
  'the tool’s usual number of results': '工具惯常的结果数',
  'three, as agents get them': '三个，与智能体得到的一样',
  'after a crash, say': '例如崩溃之后',
  'the tool, not the table': '只删工具，不删表',
  'set TURBOPUFFER_API_KEY to your key': '请把 TURBOPUFFER_API_KEY 设为你的密钥',
  'set TURBOPUFFER_REGION to the region of your namespaces (aws-us-east-1, say)':
    '请把 TURBOPUFFER_REGION 设为你的命名空间所在区域（例如 aws-us-east-1）',
  'its client is not installed; run `npm install @turbopuffer/turbopuffer`':
    '没有安装它的客户端；请运行 `npm install @turbopuffer/turbopuffer`',
  'turbopuffer: {1}': 'turbopuffer：{1}',
  'turbopuffer, namespace {1}: {2}: {3}{4}': 'turbopuffer，命名空间 {1}：{2}：{3}{4}',
  '{1} of {2} rows were not written': '{2} 行中有 {1} 行没有写入',
  '{1} of {2} rows were not deleted': '{2} 行中有 {1} 行没有删除',
  'its rows were not deleted': '它的行没有删除',
  'the question was not answered': '问题没有得到回答',
  'its rows were not listed': '它的行没有列出',
  'Sending vectors': '发送向量',
  "keeps vectors of its texts in {1}: they and your questions' vectors go there, with your key":
    '把文本的向量存放在 {1}：它们和你的问题的向量会连同你的密钥发到那里',
  'The vectors at turbopuffer are not those of the library’s model yet; asked the library’s own.':
    'turbopuffer 上的向量还不是资料库模型的；已改用资料库自己的。',
  'Asked the library’s own vectors: {1}': '已改用资料库自己的向量：{1}',
  'to, vectors: name the store to move to, or who keeps the vectors':
    'to、vectors：请写明迁移到哪个存储，或由谁保存向量',
  'no store to move to': '没有要迁移到的存储',
  '{1}; the same command goes on': '{1}；同一命令会继续',
  'the store\'s address has "{1}" in it; give that by the environment ({2})':
    '存储的地址里有“{1}”；请用环境变量给出（{2}）',
  'English, small and quick; int8; not fetched unless asked for by name':
    '英文，小而快；int8；不点名就不会获取',
  'vectors: "{1}" is neither embedded nor turbopuffer:NAMESPACE':
    'vectors：“{1}”既不是 embedded 也不是 turbopuffer:NAMESPACE',
  'The library’s own vectors are asked: {1}': '改用资料库自己的向量：{1}',
};
