import type { Translations } from './language.js';

/** Users, keys, grants, endpoints and the audit log: their help, answers and messages. */
export const ZH_ACCESS: Translations = {
  'Act as this user of the library, with the user’s rights (else as its owner)':
    '以该用户的身份和权限执行（否则以知识库所有者的身份）',
  'Say who may use the library over HTTP: add, set, list, remove':
    '规定谁可以通过 HTTP 使用知识库：add、set、list、remove',
  'Let somebody use the library over HTTP': '让某人通过 HTTP 使用知识库',
  'From the first user on, `strata serve` asks every caller for a key (`strata key create`). A reader searches and reads everything in the library, an editor changes it, an owner manages users, too; with the role `none` a user may use only what is granted by name (`strata grant add`). Whoever can open the library’s files is its owner, with or without users.':
    '有了第一个用户之后，`strata serve` 要求每个调用者出示密钥（`strata key create`）。reader 可检索和阅读库中的一切，editor 可修改，owner 还可管理用户；角色为 `none` 的用户只能使用指名授予的东西（`strata grant add`）。能打开库文件的人就是所有者，无论有没有用户。',
  'The user’s name': '用户名',
  'Give a user another role': '更改用户的角色',
  'Counts from the user’s next call on. Keys and grants stay.':
    '从该用户的下一次调用起生效。密钥和授权不变。',
  'What the user may do in the whole library': '该用户在整个知识库中的权限',
  'Show who may use the library': '显示谁可以使用知识库',
  'Users with their roles, and how many keys and grants each has.': '用户及其角色，以及各有多少密钥和授权。',
  'Remove a user with all keys and grants': '删除用户及其所有密钥和授权',
  'The user’s keys are refused from their next call on. What the user has written stays.':
    '该用户的密钥从下一次调用起被拒绝。用户写入的内容保留。',
  'Make the keys that users call with: create, list, revoke': '管理用户调用时用的密钥：create、list、revoke',
  'Make a key for a user, and show it once': '为用户生成密钥，只显示一次',
  'Callers send it as `Authorization: Bearer <key>` to `strata serve`. This answer is the only place that ever shows it: the library keeps a digest. Make one for each program or machine, so that each can be revoked alone.':
    '调用者以 `Authorization: Bearer <密钥>` 发给 `strata serve`。密钥只在这次回答中出现：库里只保存摘要。请为每个程序或机器各生成一个，以便单独吊销。',
  'What it is for: the machine or program that uses it': '用途：使用它的机器或程序',
  'When it ends: 12h, 30d, 8w, 1y, a date, or never': '何时失效：12h、30d、8w、1y、日期或 never（永不）',
  'The user who calls with it': '使用它的用户',
  'Show keys by their prefix, with user, state and expiry': '按前缀列出密钥，含用户、状态和有效期',
  'Expired and revoked keys are listed, too. The keys themselves are not kept, and so not shown.':
    '过期和已吊销的密钥也会列出。密钥本身不保存，因此不会显示。',
  'Of this user only': '只列出该用户的',
  'End a key before it expires': '吊销一个密钥',
  'By its prefix as `strata key list` shows it (the whole key does, too). It is refused from the next call on, and stays in the list.':
    '给出 `strata key list` 显示的前缀（完整密钥也行）。从下一次调用起被拒绝，仍留在列表中。',
  'The key’s prefix': '密钥的前缀',
  'Let a user use one table, tool or endpoint: add, list, remove':
    '让用户使用某个表、工具或端点：add、list、remove',
  'Let a user use one table, tool or endpoint': '让用户使用某个表、工具或端点',
  'Adds to the user’s role, never takes away: for users with the role `none` it is all they may use. A grant for a tool needs none for its table; a grant for an endpoint covers the tools bound to it. It ends with the thing it is for.':
    '只会在角色之上增加权限，不会减少：角色为 `none` 的用户只能使用被授予的东西。授予工具不需要再授予它的表；授予端点就包含绑定在上面的工具。所授之物删除时授权随之结束。',
  'The user': '用户',
  'table:NAME, tool:NAME or endpoint:NAME': 'table:名称、tool:名称 或 endpoint:名称',
  'What the user may do with it': '该用户对它的权限',
  'Show what was granted to whom': '显示授予了谁什么',
  'Grants for single tables, tools and endpoints; roles in the whole library are in `strata user list`.':
    '对单个表、工具和端点的授权；整个库的角色见 `strata user list`。',
  'To this user only': '只列出该用户的',
  'Take a grant back': '收回授权',
  'Takes a grant back; that counts from the user’s next call on.': '收回授权；从该用户的下一次调用起生效。',
  'Show who did what with the library, the newest first': '显示谁对知识库做了什么，最新的在前',
  'Everything that callers over HTTP and MCP did or were refused, and what commands changed. Kept in the library’s folder (`audit.jsonl`, the last 20 MB); it holds names, prefixes of keys and addresses, never keys, questions or contents.':
    '经 HTTP 和 MCP 的调用者所做的和被拒绝的一切，以及命令所作的修改。保存在知识库的文件夹中（`audit.jsonl`，最近 20 MB）；其中有名称、密钥前缀和地址，绝没有密钥、问题或内容。',
  'At most so many': '最多这么多条',
  'By this user, token or caller only': '只列出该用户、令牌或调用者的',
  'This operation or tool only': '只列出该操作或工具的',
  'From this day or moment on (2026-01-31)': '从这一天或时刻起（2026-01-31）',
  'Reading only, and on this machine only, unless the options say otherwise. A library with users (`strata user add`) asks every caller for a key.':
    '默认只读，且只在本机；选项可以改变。有用户的知识库（`strata user add`）要求每个调用者出示密钥。',
  'Ask for bearer tokens, besides the keys of users; a line each: TOKEN NAME read|write':
    '除用户的密钥外也接受令牌；每行一个：TOKEN NAME read|write',
  'from now on callers need a key': '从此调用者需要密钥',
  'for the keys of editors and owners': '供 editor 和 owner 的密钥使用',
  'the simple way, a line a token: TOKEN NAME read|write': '简单的办法，每行一个令牌：TOKEN NAME read|write',
  'a reader': '一个读者',
  'may add and remove documents': '可以添加和删除文档',
  'may use what is granted by name': '只能使用指名授予的东西',
  'ann may write now': 'ann 现在可以修改',
  'who may use the library here': '谁可以使用这里的知识库',
  'ann’s keys end, too': 'ann 的密钥也随之失效',
  'valid for 90 days': '有效期 90 天',
  'says what it is for': '注明用途',
  'which keys has ann?': 'ann 有哪些密钥？',
  'refused from now on': '从此被拒绝',
  'eve may call the tool': 'eve 可以调用该工具',
  'eve may change the table': 'eve 可以修改该表',
  'what may eve use?': 'eve 可以使用什么？',
  'eve may call it no more': 'eve 不能再调用它',
  'the last 50 entries': '最近 50 条',
  'what did ann do this year?': 'ann 今年做了什么？',

  'Keys that were not revoked': '未吊销的密钥',
  'The public part, which names the key': '公开的部分，用来指称密钥',
  "the key {1} was {2}; ask the library's owner for a new one": '密钥 {1} {2}；请向知识库的所有者要一个新的',
  'valid until {1}': '有效期至 {1}',
  'a pipe or device stands in its place': '该处是管道或设备',
  'too long': '太长',
  'Show search tools to agents at an MCP address of their own: create, list, bind, unbind, remove':
    '在单独的 MCP 地址上向智能体提供检索工具：create、list、bind、unbind、remove',
  'Give some search tools an MCP address of their own': '给一些检索工具一个单独的 MCP 地址',
  'Agents that connect to /mcp/NAME of `strata serve` see the search tools that are bound there (`strata endpoint bind`), and nothing else of the library. Who may use it: readers of the library, and users with a grant for it (`strata grant add USER endpoint:NAME`).':
    '连接到 `strata serve` 的 /mcp/名称 的智能体只能看到绑定在那里的检索工具（`strata endpoint bind`），看不到知识库的其他内容。可以使用它的是：知识库的读者，以及得到授权的用户（`strata grant add 用户 endpoint:名称`）。',
  'The endpoint’s name, as it stands in the address': '端点的名称，即地址中的名称',
  'What agents are told that it is for': '告诉智能体它的用途',
  'at /mcp/team': '地址为 /mcp/team',
  'Show the MCP endpoints and the tools bound to each': '显示 MCP 端点和各自绑定的工具',
  'Endpoints that the caller may use, with the tools that agents see there now.':
    '调用者可以使用的端点，以及智能体现在在那里看到的工具。',
  'which there are': '有哪些',
  'Remove an MCP endpoint; its tools stay': '删除 MCP 端点；工具保留',
  'Clients that are connected to it are refused from then on. Grants for it end.':
    '已连接的客户端从此被拒绝。对它的授权结束。',
  'The endpoint': '端点',
  '/mcp/team is gone': '/mcp/team 不再存在',
  'Show search tools at an MCP endpoint': '在 MCP 端点上提供检索工具',
  'Clients that are connected learn of it at once (list_changed), also when another process binds. Whoever may use the endpoint may then call the tool, so it needs the right to change both.':
    '已连接的客户端马上得知（list_changed），由别的进程绑定也一样。能使用端点的人就能调用该工具，因此需要对二者都有修改权。',
  'Search tools by name': '检索工具的名称',
  'agents at /mcp/team see both': '/mcp/team 的智能体看得到这两个',
  'Take search tools off an MCP endpoint': '从 MCP 端点上撤下检索工具',
  'They are no longer seen there; the tools themselves stay. Clients that are connected learn of it at once (list_changed).':
    '在那里不再可见；工具本身保留。已连接的客户端马上得知（list_changed）。',
  'agents at /mcp/team see neither': '/mcp/team 的智能体都看不到了',
  'Where `strata serve` has it': '`strata serve` 提供它的位置',
  'The tools that agents see there': '智能体在那里看到的工具',
  'no tools yet': '还没有工具',
  'No endpoints: `strata endpoint create NAME` makes one.':
    '没有端点：用 `strata endpoint create 名称` 建立。',
  'Removed the endpoint {1}.': '已删除端点 {1}。',
  'name: an endpoint’s name is a to z, digits, "_" and "-", at most 64 of them':
    'name：端点名由 a 到 z、数字、“_”和“-”组成，最多 64 个字符',
  'endpoint {1}: there is one already; `strata endpoint bind {2} TOOL` adds tools to it':
    '端点 {1} 已存在；`strata endpoint bind {2} 工具` 给它添加工具',
  'tool {1}: is not bound to the endpoint {2}; `strata endpoint list` shows what is':
    '工具 {1} 没有绑定到端点 {2}；`strata endpoint list` 显示绑定了哪些',
  'tool {1}: there is none at this endpoint': '这个端点上没有工具 {1}',
  '{1} key': '{1} 个密钥',
  '{1} keys': '{1} 个密钥',
  '{1} grant': '{1} 项授权',
  '{1} grants': '{1} 项授权',
  'No users: `strata user add NAME` adds one.': '没有用户：用 `strata user add 名称` 添加。',
  'Next: strata key create {1}': '下一步：strata key create {1}',
  'Removed {1}, with {2} and {3}.': '已删除 {1}，连同{2}和{3}。',
  'No keys: `strata key create USER` makes one.': '没有密钥：用 `strata key create 用户` 生成。',
  'Keep it now: it is not shown again.': '请立即保存：不会再次显示。',
  'never expires': '永不过期',
  'until {1}': '有效至 {1}',
  'revoked {1}': '已于 {1} 吊销',
  'No grants: `strata grant add USER table:NAME` adds one.':
    '没有授权：用 `strata grant add 用户 table:名称` 添加。',
  'Taken back: {1}': '已收回：{1}',
  'Nothing was noted.': '没有记录。',

  'serving on {1} without keys would open the library to the network; make one with `strata user add NAME` and `strata key create NAME`, or give --token-file':
    '在 {1} 上不带密钥提供服务会把知识库向网络公开；请用 `strata user add 名称` 和 `strata key create 名称` 生成密钥，或给出 --token-file',
  '--allow-write needs keys: without them every user and program of this machine could write. Make one with `strata user add NAME --role editor` and `strata key create NAME`, or give --token-file':
    '--allow-write 需要密钥：否则本机的每个用户和程序都能修改。请用 `strata user add 名称 --role editor` 和 `strata key create 名称` 生成密钥，或给出 --token-file',
  'nobody is known to call': '不知道是谁在调用',
  'the audit log cannot be written: {1}': '无法写入审计日志：{1}',
  'user {1}: there is none; `strata user list` shows who there is':
    '没有用户 {1}；`strata user list` 显示有谁',
  'user {1}: there is one already; `strata user set {2} --role {3}` changes the role':
    '用户 {1} 已存在；`strata user set {2} --role {3}` 更改角色',
  'name: a user’s name has 1 to 64 letters, digits and . _ @ + -, and starts with a letter or digit':
    'name：用户名由 1 至 64 个字母、数字和 . _ @ + - 组成，以字母或数字开头',
  'resource: "{1}" names none; write table:NAME, tool:NAME or endpoint:NAME':
    'resource：“{1}”没有指明对象；请写 table:名称、tool:名称 或 endpoint:名称',
  '{1} has no grant for {2}; `strata grant list` shows which there are':
    '{1} 没有对 {2} 的授权；`strata grant list` 显示有哪些',
  'label: 1 to 200 characters': 'label：1 至 200 个字符',
  '{1}: there is none; `strata key list` shows the prefixes': '没有 {1}；`strata key list` 显示前缀',
  'expires: "{1}" is no end of a key; write 12h, 30d, 8w, 1y, a date (2026-12-31) or never':
    'expires：“{1}”不是密钥的期限；请写 12h、30d、8w、1y、日期（2026-12-31）或 never',
  'expires: {1} has passed already; name a later day': 'expires：{1} 已经过去；请写更晚的日期',
  'since: "{1}" is no date; write a date or a moment: 2026-01-31, 2026-01-31T08:00Z':
    'since：“{1}”不是日期；请写日期或时刻：2026-01-31、2026-01-31T08:00Z',
};
