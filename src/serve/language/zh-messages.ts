import type { Translations } from './language.js';

/** Errors, notices and stages of progress. `{1}` stands for what is filled in, in the order of the English template. */
export const ZH_MESSAGES: Translations = {
  'A way to say a term has terms and a share above 0, at most 1.':
    '词的一种说法要有词项，份额大于 0、不超过 1。',
  'No passage has the id "{1}" here.': '这里没有编号为“{1}”的段落。',
  'strata: {1}': 'strata：{1}',
  ' (a defect in Strata: STRATA_DEBUG=1 shows where)':
    '（这是 Strata 的缺陷：设 STRATA_DEBUG=1 可看到出错位置）',
  '{1}: {2}': '{1}：{2}',
  '{1}; {2}': '{1}；{2}',
  'Without passages that hold "{1}".': '已排除含“{1}”的段落。',
  'min_score must be from 0 to 1; it is {1}.': 'min_score 必须在 0 到 1 之间，现在是 {1}。',
  '{1}: this library is closed; open it again.': '{1}：资料库已关闭；请重新打开。',
  // Settings and arguments.
  '{1}: unknown; known are {2}': '{1}：不认识；可用的有 {2}',
  '{1} is {2}: it must be {3}': '{1} 为 {2}：必须是{3}',
  'a whole number of at least {1}': '不小于 {1} 的整数',
  'at most max ({1})': '不大于 max（{1}）',
  'between 0 and {1}': '0 到 {1} 之间',
  '{1}: missing; {2}': '{1}：缺少；{2}',
  'must be {1}': '必须是 {1}',
  'must be an object': '必须是对象',
  'one of {1}': '{1} 之一',
  'default {1}': '默认 {1}',
  '{1}: "{2}" is no date; write it as 2026-01-31': '{1}：“{2}”不是日期；请写成 2026-01-31',
  '{1} "{2}" is no date: write it as 2026-01-31.': '{1}“{2}”不是日期：请写成 2026-01-31。',
  '{1}: "{2}" is no whole number; write one, such as 8000': '{1}：“{2}”不是整数；请写整数，例如 8000',
  '--port: {1} is no port; name one from 0 to {2}': '--port：{1} 不是端口；请用 0 到 {2} 之间的数',
  '{1}: {2} is not from {3} to {4}': '{1}：{2} 不在 {3} 到 {4} 之间',
  '{1} must be a whole number from 0 (all); it is {2}.': '{1} 必须是从 0（全部）起的整数；现在是 {2}。',
  '{1} must be a string': '{1} 必须是字符串',
  'max_tokens must be a whole number from 1; it is {1}.': 'max_tokens 必须是从 1 起的整数；现在是 {1}。',
  'k is {1}: it must be 0 or more.': 'k 为 {1}：必须大于等于 0。',
  'mode "{1}" is unknown: use one of {2}.': '不认识模式“{1}”：可用 {2}。',
  'context "{1}" is unknown: use one of {2}.': '不认识上下文“{1}”：可用 {2}。',
  'the filter is not an object: give it some of {1}.': '过滤条件不是对象：可用 {1}。',
  'filter "{1}" is unknown: use some of {2}.': '不认识过滤条件“{1}”：可用 {2}。',
  'store "{1}": known are {2}': '存储“{1}”：可用的有 {2}',
  '"{1}" is not known': '不认识“{1}”',
  'completions: "{1}" is none of bash, zsh, fish': 'completions：“{1}”不是 bash、zsh、fish 之一',
  'lengthFunction: StrataTextSplitter counts characters; leave it out':
    'lengthFunction：StrataTextSplitter 按字符计数；请去掉它',
  'table {1}: "{2}" is no JSON pointer: it must be empty or start with "/"':
    '表 {1}：“{2}”不是 JSON 指针：必须为空，或以“/”开头',
  '"{1}" is no JSON pointer: it must be empty or start with "/"':
    '“{1}”不是 JSON 指针：必须为空，或以“/”开头',
  '"{1}" is no JSON pointer: {2}': '“{1}”不是 JSON 指针：{2}',
  'it must be empty or start with "/"': '必须为空，或以“/”开头',
  '"~" must be followed by 0 or 1': '“~”后面必须是 0 或 1',
  // Searching and citing.
  'The query is empty: give some words or a question.': '查询是空的：请写几个词或一个问题。',
  'Cannot search by meaning: the library has no vectors yet.': '无法按含义检索：资料库还没有向量。',
  'Cannot search by meaning: {1}.': '无法按含义检索：{1}。',
  'Search goes by words for now: {1}': '目前按词检索：{1}',
  'search goes by words: {1}': '按词检索：{1}',
  'No document is "{1}" here: `strata list` shows what there is.':
    '这里没有文档“{1}”：`strata list` 可列出已有的。',
  'No document or chunk has the id "{1}" here: scout or list shows the ids there are.':
    '这里没有 id 为“{1}”的文档或段落：scout 或 list 可列出已有的 id。',
  'No document or slice has the id "{1}".': '没有 id 为“{1}”的文档或切片。',
  'No item has the id "{1}"; save it first.': '没有 id 为“{1}”的条目；请先保存它。',
  'No passage has an id that is or begins with "{1}".': '没有 id 为“{1}”或以它开头的段落。',
  '"{1}" begins {2} ids; write more of it': '有 {2} 个 id 以“{1}”开头；请多写几位',
  '"{1}" is no citation: give what search prints (strata:…), a passage\'s id or its beginning (#0d8b53), or a place (guide.md:12).':
    '“{1}”不是引用：请给出 search 打印的内容（strata:…）、段落的 id 或其开头（#0d8b53），或一个位置（guide.md:12）。',
  '{1}:{2} has no passage in the library; `strata show {3}` shows where there are some.':
    '资料库里 {1}:{2} 处没有段落；`strata show {3}` 显示哪里有。',
  'The document of {1} is no longer there.': '{1} 所在的文档已经不在了。',
  'a place in no text': '不在任何文本里的位置',
  '{1}: a document; read strata://doc/{2}': '{1}：是文档；请读 strata://doc/{2}',
  'The cited passage is no longer in {1}: verify says what became of it.':
    '所引段落已不在 {1} 里：verify 会说明它的去向。',
  'The name is empty: give {1}.': '名称是空的：请给出{1}。',
  'Nothing here is "{1}": give {2}; `strata list` shows what there is.':
    '这里没有“{1}”：请给出{2}；`strata list` 可列出已有的。',
  'Nothing in the tables that were granted is "{1}": give an id or a citation as searches print them.':
    '获准的表里没有“{1}”：请给出检索结果里的 id 或引用。',
  'only tables that were granted can be asked': '只能检索获准的表',
  '{1}: the cache must be a folder that only you can open; remove it, or `chmod 700` it':
    '{1}：缓存必须是只有您自己能打开的文件夹；请移除它，或执行 `chmod 700`',
  'The cited document is no longer in the library.': '所引文档已不在资料库里。',
  '"{1}" begins several ids: {2}{3}; write more of it.': '有多个 id 以“{1}”开头：{2}{3}；请多写几位。',
  '{1}: must be an object': '{1}：必须是对象',
  '{1} is a whole document: name a passage of it, such as {2}:1, its id, or what search prints.':
    '{1} 是整个文档：请指出其中的段落，例如 {2}:1、它的 id，或 search 打印的内容。',
  // Embedding.
  'Embedding was cancelled.': '生成向量已取消。',
  'The download was cancelled.': '下载已取消。',
  'No model is called "{1}"; known are {2}.': '没有叫“{1}”的模型；可用的有 {2}。',
  'ONNX Runtime cannot be loaded here ({1}).': '这里无法加载 ONNX Runtime（{1}）。',
  '{1} Its WebAssembly build takes its place, about four times slower.':
    '{1} 改用它的 WebAssembly 版本，大约慢四倍。',
  'OLLAMA_HOST is "{1}": that is no host, host:port or URL.':
    'OLLAMA_HOST 为“{1}”：不是主机、主机:端口或网址。',
  'Texts and queries are sent to {1} to be embedded.': '文本和查询会发送到 {1} 生成向量。',
  'The URL of the openai embedder cannot be read: it must start with http(s)://.':
    'openai 嵌入器的网址无法识别：必须以 http(s):// 开头。',
  'The openai embedder needs a key: set OPENAI_API_KEY (or OPENAI_BASE_URL for a server of your own).':
    'openai 嵌入器需要密钥：请设置 OPENAI_API_KEY（自己的服务器则设置 OPENAI_BASE_URL）。',
  'The embedder "{1}" cannot be read: {2}.': '无法识别嵌入器“{1}”：{2}。',
  'The embedder was closed.': '嵌入器已关闭。',
  'The embedding worker {1}.': '嵌入进程{1}。',
  'The model folder {1} cannot be used: {2}.': '模型文件夹 {1} 无法使用：{2}。',
  'The model {1} answers in {2}, not float32.': '模型 {1} 以 {2} 回答，而不是 float32。',
  'The model {1} could not be fetched ({2}).': '模型 {1} 获取失败（{2}）。',
  'the model {1} could not be fetched ({2}).': '模型 {1} 获取失败（{2}）。',
  'The model {1} gave no vector: {2}.': '模型 {1} 没有给出向量：{2}。',
  'The model {1} wants {2}; only text encoders ({3}) can be used.':
    '模型 {1} 需要 {2}；只能使用文本编码器（{3}）。',
  'There is no model "{1}": give a folder with model.onnx and tokenizer.json, a hub id (owner/name), or one of {2}.':
    '没有模型“{1}”：请给出含 model.onnx 和 tokenizer.json 的文件夹、模型库的 id（owner/name），或 {2} 之一。',
  'This library uses no embedder (none): search is by words.': '这个资料库不用嵌入器（none）：按词检索。',
  '"{1}" is no kind of embedder; use local, openai, ollama or none':
    '“{1}”不是嵌入器的种类；请用 local、openai、ollama 或 none',
  'a local model has no options': '本地模型没有选项',
  'dimensions must be a number': 'dimensions 必须是数字',
  'there is no option "{1}"; there are dimensions and url': '没有选项“{1}”；可用的是 dimensions 和 url',
  'it has no model.onnx (looked in it and in its onnx/)': '里面没有 model.onnx（也找了 onnx/）',
  'it has no tokenizer.json': '里面没有 tokenizer.json',
  'it has the index {1} among {2} vectors': '{2} 个向量里出现了序号 {1}',
  'it has the index {1} twice': '序号 {1} 出现了两次',
  'in vector {1}, {2}': '在第 {1} 个向量里，{2}',
  'vector {1} has {2} dimensions instead of {3}': '第 {1} 个向量有 {2} 维，应为 {3} 维',
  'vector {1} is all zeros': '第 {1} 个向量全为零',
  '{1} vectors for {2} texts': '{2} 段文本得到 {1} 个向量',
  '{1} vectors for {2} documents': '{2} 个文档得到 {1} 个向量',
  'The model {1} is no cross-encoder: it gives {2} numbers for a question and a passage, not one score.':
    '模型 {1} 不是交叉编码器：它对一个问题和一个段落给出 {2} 个数，而不是一个分数。',
  'The model {1} gave no score: {2}.': '模型 {1} 没有给出分数：{2}。',
  'There is no folder {1}: a local reranker is a folder with model.onnx and tokenizer.json.':
    '没有文件夹 {1}：本机的重排模型是一个含有 model.onnx 和 tokenizer.json 的文件夹。',
  'The reranker at {1}': '{1} 上的重排模型',
  'it has no results': '没有结果',
  'it has the index {1} among {2} passages': '在 {2} 个段落中出现了序号 {1}',
  'it has a score that is no number': '有一个分数不是数字',
  '{1} gave a wrong answer: {2}.': '{1} 的回答有误：{2}。',
  'use local:FOLDER, the address of a service (https://…/rerank#MODEL), or none':
    '请用 local:文件夹、服务的地址（https://…/rerank#模型）或 none',
  'its address cannot be read': '它的地址无法识别',
  'an address holds no key here; set STRATA_RERANK_KEY': '地址里不能带密钥；请设置 STRATA_RERANK_KEY',
  'The reranker "{1}" cannot be read: {2}.': '无法识别重排模型“{1}”：{2}。',
  '{1} gave a wrong answer: it has no embeddings.': '{1} 的回答有误：没有向量。',
  '{1} gave a wrong answer: {2}. Nothing of it was stored.': '{1} 的回答有误：{2}。什么也没有保存。',
  '{1} has no model "{2}"; run ollama pull {3}, or choose one it has.':
    '{1} 没有模型“{2}”；请运行 ollama pull {3}，或选一个已有的。',
  '{1} {2}; check the key.': '{1} {2}；请检查密钥。',
  "{1} {2}; check the model's name and the URL.": '{1} {2}；请检查模型名和网址。',
  '{1} {2}{3} ({4} {5}); run strata embed later to go on.':
    '{1} {2}{3}（{4} {5}）；稍后运行 strata embed 继续。',
  '{1}; trying again': '{1}；正在重试',
  '{1} passages could not be embedded': '{1} 个段落无法生成向量',
  '{1}, which runs the models, could not be fetched ({2}); `strata models pull` fetches it when there is a network, or --from a folder.':
    '运行模型所需的 {1} 获取失败（{2}）；有网络时 `strata models pull` 会获取它，或用 --from 指定文件夹。',
  '{1}; `strata models pull` fetches it when there is a network, or --from a folder':
    '{1}；有网络时 `strata models pull` 会获取它，或用 --from 指定文件夹',
  'the checksum of what the registry sent is wrong': '从注册表收到的内容校验和不对',
  'the tarball is damaged': '压缩包已损坏',
  'npm could not be run ({1})': '无法运行 npm（{1}）',
  'npm pack {1} made no tarball': 'npm pack {1} 没有生成压缩包',
  'npm: {1}': 'npm：{1}',
  'no embedding model: {1}': '没有嵌入模型：{1}',
  'none is set up': '没有配置',
  'the library has no embedding model; open it with an embedder': '资料库没有嵌入模型；请用一个嵌入器打开它',
  'the vectors were made with {1}, which is not used since you named {2}':
    '向量是用 {1} 生成的，而你指定了 {2}，所以没有使用',
  '{1}: open the library with that embedder': '{1}：请用那个嵌入器打开资料库',
  // Libraries and stores.
  '{1}: there is no library; `strata add FOLDER` makes one, --library names another':
    '{1}：没有资料库；`strata add 文件夹` 会建一个，--library 可指定别的',
  '{1}: a library is a folder, and this is a file; name a folder with --library':
    '{1}：资料库是文件夹，而这是文件；请用 --library 指定文件夹',
  '{1}: the library cannot be made here ({2})': '{1}：无法在这里建资料库（{2}）',
  '{1}: the library is kept there already; name another store': '{1}：资料库已经保存在那里；请指定别的存储',
  '{1}: is kept by {2}, not by {3}; name another --library':
    '{1}：由 {2} 保存，不是 {3}；请指定别的 --library',
  '{1}: holds other files and is no library; name a new folder, such as {2}':
    '{1}：里面有别的文件，不是资料库；请指定新文件夹，例如 {2}',
  '{1}: does not name a store; write {"driver":"sqlite"} (or {2}) there':
    '{1}：没有写明存储；请在里面写 {"driver":"sqlite"}（或 {2}）',
  'The settings of this library cannot be read ({1}); going on without them.':
    '这个资料库的设置无法读取（{1}）；不用它们继续。',
  'The library changes faster than it can be read; try again.': '资料库变化太快，来不及读取；请再试一次。',
  'Cancelled before the change was written.': '在写入改动之前已取消。',
  'Cancelled while waiting for another writer.': '在等待另一个写入者时已取消。',
  'cancelled before anything was written': '在写入任何内容之前已取消',
  'cancelled while waiting to write': '在等待写入时已取消',
  'another process is writing; try again': '另一个进程正在写入；请再试一次',
  '{1}: other processes have been writing{2}; try again later': '{1}：其他进程一直在写入{2}；请稍后再试',
  '{1}: process {2} is writing to it; try again when it has finished':
    '{1}：进程 {2} 正在写入；等它完成后再试',
  '{1}: process {2} on {3} has been writing{4}; try again when it has finished (if that machine is gone, delete the files in {5})':
    '{1}：{3} 上的进程 {2} 一直在写入{4}；等它完成后再试（如果那台机器已不在，请删除 {5} 里的文件）',
  '{1} is on a network drive ({2}): let one machine at a time write to this library.':
    '{1} 在网络盘上（{2}）：同一时间只让一台机器写入这个资料库。',
  'reading or writing the disk failed; check the drive and free space': '磁盘读写失败；请检查磁盘和剩余空间',
  'the disk is full; nothing was written. Free some space and try again':
    '磁盘已满；什么也没有写入。请腾出空间再试',
  'the file is damaged or no library. Run `strata doctor --fix`, restore a backup, or remove the file and add the documents again':
    '文件已损坏或不是资料库。请运行 `strata doctor --fix`、恢复备份，或删除该文件后重新添加文档',
  'the library cannot be opened; check that the folder exists and may be written':
    '无法打开资料库；请检查文件夹是否存在、是否可写',
  'the library cannot be written; check the permissions of the file and its folder':
    '无法写入资料库；请检查文件及其文件夹的权限',
  'the library is not yours to open; ask its owner, or name another':
    '这个资料库不属于你；请问它的主人，或指定别的',
  'the store refused': '存储拒绝了',
  '{1} is an SQLite file, but not a Strata library.': '{1} 是 SQLite 文件，但不是 Strata 资料库。',
  'The {1} {2} is damaged in the table; run `strata doctor --fix`.':
    '表里的 {1} {2} 已损坏；请运行 `strata doctor --fix`。',
  'The {1} fail their checksum; run `strata doctor --fix`.':
    '{1} 的校验和不对；请运行 `strata doctor --fix`。',
  'The {1} {2} is damaged in the database; run `strata doctor --fix`.':
    '数据库里的 {1} {2} 已损坏；请运行 `strata doctor --fix`。',
  'The {1} {2} is damaged on disk; run `strata doctor --fix`.':
    '磁盘上的 {1} {2} 已损坏；请运行 `strata doctor --fix`。',
  'Word statistics (page {1}) have a wrong length.': '词统计（第 {1} 页）长度不对。',
  'its text is missing; `strata add --force` reads it again': '它的文本缺失；`strata add --force` 会重新读取',
  '{1} is a link or a file where the library has a folder; remove it if you do not know what it is for':
    '{1} 是链接或文件，而资料库在此处应是文件夹；不知其用途就请删除它',
  '{1} is a link where the library has a folder; remove it': '{1} 是链接，而资料库在此处应是文件夹；请删除它',
  '{1} {2}: Strata did not write it. Remove it, or the library':
    '{1} {2}：不是 Strata 写的。请删除它，或删除资料库',
  '{1}: its {2} {3} {4}; nothing in it is used. Run `strata doctor --fix`, or remove the library if it is not yours':
    '{1}：其中的 {2} {3} {4}；里面的内容都没有使用。请运行 `strata doctor --fix`，不是你的资料库就请删除',
  'names a file outside the library': '指向资料库之外的文件',
  'the library names a record "{1}", which is no id of Strata\'s': '资料库里的记录“{1}”不是 Strata 的 id',
  'the library names a revision "{1}", which is none': '资料库里的修订“{1}”不是修订',
  'The source "{1}" belongs to document {2}, not {3}.': '来源“{1}”属于文档 {2}，不是 {3}。',
  'The term "{1}" has the weight {2}: use 0 or more.': '词“{1}”的权重为 {2}：请用 0 或更大。',
  'Document {1} was packed for {2}; nothing was written.': '文档 {1} 是为 {2} 打包的；什么也没有写入。',
  'Document {1} {2}; nothing was written.': '文档 {1} {2}；什么也没有写入。',
  'has a NUL character in its source': '来源里有 NUL 字符',
  'has a chunk_count of {1} but {2} chunks': 'chunk_count 为 {1}，却有 {2} 个段落',
  'has an id that is no lower-case UUID': 'id 不是小写的 UUID',
  'has metadata that is no object': 'metadata 不是对象',
  'section {1} belongs to {2}': '章节 {1} 属于 {2}',
  'shares its source "{1}" with another one of the same change': '与同一次改动里的另一个文档来源相同：“{1}”',
  'stands twice in one change': '在一次改动里出现了两次',
  '{1} belongs to {2}': '{1} 属于 {2}',
  '{1} has an id not derived from its chunk_hash': '{1} 的 id 不是由 chunk_hash 得来的',
  '{1} has the chunk_index {2}': '{1} 的 chunk_index 为 {2}',
  '{1} is not the text from {2} to {3}': '{1} 不是从 {2} 到 {3} 的文本',
  '{1} repeats the chunk_hash of an earlier one': '{1} 与前面某个的 chunk_hash 相同',
  // Trust.
  'the library names {1}, and nobody has agreed to it': '资料库指定了 {1}，而没有人同意过',
  '{1}; if you trust it, run `strata trust` (see --library)':
    '{1}；如果信任它，请运行 `strata trust`（见 --library）',
  '{1} holds no agreements; correct or remove it': '{1} 里没有同意记录；请改正或删除它',
  '{1}: there is no library to trust; name one with --library':
    '{1}：没有可以信任的资料库；请用 --library 指定',
  '{1}.\nDo you trust this library with that?': '{1}。\n这些你都信任这个资料库吗？',
  // PostgreSQL, LanceDB, backups, moves.
  'its table is damaged, or not of this version of Strata. Restore a backup, or remove the folder and add the documents again':
    '它的表已损坏，或不属于这个版本的 Strata。请恢复备份，或删除该文件夹后重新添加文档',
  'this is a file; name a folder': '这是一个文件；请指定文件夹',
  'A library in PostgreSQL is backed up by `strata backup` or pg_dump.':
    'PostgreSQL 里的资料库用 `strata backup` 或 pg_dump 备份。',
  'A library in memory has no file to back up.': '内存里的资料库没有文件可备份。',
  'library= is a name of 1 to 200 characters': 'library= 是 1 到 200 个字符的名称',
  'pool= is a number from 1 to 100': 'pool= 是 1 到 100 的数字',
  'schema={1} is no name of a schema (a–z, 0–9 and _)': 'schema={1} 不是模式名（a–z、0–9 和 _）',
  'the address of the PostgreSQL store is not right: {1}': 'PostgreSQL 存储的地址不对：{1}',
  'the library is kept at {1}, and {2} names {3}; set it to that server':
    '资料库保存在 {1}，而 {2} 指的是 {3}；请把它设为那台服务器',
  'the library is kept by PostgreSQL{1}: set {2} to postgres://USER:PASSWORD@HOST:PORT/DATABASE':
    '资料库由 PostgreSQL{1} 保存：请把 {2} 设为 postgres://USER:PASSWORD@HOST:PORT/DATABASE',
  'write postgres://USER:PASSWORD@HOST:PORT/DATABASE?library=NAME':
    '请写成 postgres://USER:PASSWORD@HOST:PORT/DATABASE?library=NAME',
  '{1}: copy the folder in the object store': '{1}：请在对象存储里复制该文件夹',
  '{1} exists already; name a new file for the backup.': '{1} 已经存在；请为备份指定新文件。',
  '{1} exists already; name a new folder.': '{1} 已经存在；请指定新文件夹。',
  '{1}: could not be restored: {2}': '{1}：无法恢复：{2}',
  '{1}: is no backup of a library (it holds no store.json); name a folder that `strata backup` made':
    '{1}：不是资料库的备份（里面没有 store.json）；请给出 `strata backup` 生成的文件夹',
  '{1}: is not empty; name a new folder for the backup': '{1}：不是空的；请为备份指定新文件夹',
  '{1}: is being written to; move it when that has ended.': '{1}：正在被写入；等写完再迁移。',
  '{1}: is not whole in the library; run `strata doctor --fix` first.':
    '{1}：在资料库里不完整；请先运行 `strata doctor --fix`。',
  '{1}: the backup failed: {2}': '{1}：备份失败：{2}',
  '{1}: the copy is damaged: {2}{3}': '{1}：副本已损坏：{2}{3}',
  '{1}: the copy is not the library: {2}. Nothing was switched; run the same command again.':
    '{1}：副本与资料库不一致：{2}。没有切换；请再次运行同一命令。',
  '{1}: there is a library already; --replace puts it aside': '{1}：已经有资料库；--replace 会把它放到一边',
  '{1}: holds {2} documents already, and no move of this library; name another place':
    '{1}：里面已有 {2} 个文档，且不是这个资料库的迁移；请指定别的位置',
  'it has {1} documents and {2} passages, not {3} and {4}': '它有 {1} 个文档和 {2} 个段落，应为 {3} 和 {4}',
  '{1} is not the same there': '{1} 在那边不一样',
  // Evaluation.
  '{1}: a line has no text field "{2}".': '{1}：有一行没有文本字段“{2}”。',
  '{1}: a query has no list of strings "answer_texts".': '{1}：有一个问题没有字符串列表“answer_texts”。',
  '{1}: line {2} is no JSON object.': '{1}：第 {2} 行不是 JSON 对象。',
  '{1}: {2}. A set has corpus.jsonl, queries.jsonl and qrels/test.tsv or qrels.tsv (BEIR), or docs.jsonl and queries.jsonl (answer spans).':
    '{1}：{2}。一个测试集含 corpus.jsonl、queries.jsonl 和 qrels/test.tsv 或 qrels.tsv（BEIR），或 docs.jsonl 和 queries.jsonl（答案片段）。',
  // Servers and clients.
  '--allow-write needs --token-file: without tokens every user and program of this machine could write. A line of the file is TOKEN NAME write; `openssl rand -hex 32` makes a token':
    '--allow-write 需要 --token-file：没有令牌时本机的任何用户和程序都能写入。文件每行为 TOKEN NAME write；`openssl rand -hex 32` 可生成令牌',
  '{1}; choose an address of this machine with --host': '{1}；请用 --host 选本机的地址',
  'cannot listen on {1}:{2}: {3}': '无法监听 {1}:{2}：{3}',
  '; reading only': '；只读',
  'serving on {1} without tokens would open the library to the network; give --token-file':
    '不用令牌就在 {1} 上提供服务会把资料库向网络敞开；请给出 --token-file',
  "the request's body is no JSON: {1}": '请求体不是 JSON：{1}',
  "the request's body must be a JSON object": '请求体必须是 JSON 对象',
  '{1} can be read by others on this machine; `chmod 600` it': '{1} 可被本机其他人读取；请对它 `chmod 600`',
  '{1}, line {2}: expected "TOKEN NAME LEVEL" with a level of {3}':
    '{1} 第 {2} 行：应为“TOKEN NAME LEVEL”，其中 LEVEL 为 {3}',
  '{1}, line {2}: the token has fewer than {3} characters; take a random one':
    '{1} 第 {2} 行：令牌少于 {3} 个字符；请用随机生成的',
  '{1}: the token file cannot be read ({2}); make one with a line a token: TOKEN NAME read|write':
    '{1}：无法读取令牌文件（{2}）；请建一个，每行一个令牌：TOKEN NAME read|write',
  '{1}: the token file holds no token': '{1}：令牌文件里没有令牌',
  '{1}: {2} may {3} only': '{1}：{2} 只能 {3}',
  'mcp: {1}': 'mcp：{1}',
  'no client is named': '没有写客户端',
  '{1}: give one of {2}, or --print alone for another': '{1}：请给出 {2} 之一，其他客户端只用 --print',
  '--scope: "{1}" is neither user nor project': '--scope：“{1}”既不是 user 也不是 project',
  '{1} has no {2} configuration; use --scope {3}': '{1} 没有 {2} 级配置；请用 --scope {3}',
  '{1} has this already.': '{1} 里已经有了。',
  'Written to {1}. Restart the client to use it.': '已写入 {1}。重启客户端即可使用。',
  '{1}: not changed, since it has its servers in one line; put what --print shows there':
    '{1}：未改动，因为它的服务器写在一行里；请把 --print 显示的内容放进去',
  '{1}: not changed, since it is no valid JSON ({2}); mend it and try again':
    '{1}：未改动，因为它不是有效的 JSON（{2}）；请修好再试',
  '{1}: not changed, since its "{2}" is no object': '{1}：未改动，因为其中的“{2}”不是对象',
  // Counts.
  '{1} left': '还需 {1}',
  '{1} character': '{1} 个字符',
  '{1} characters': '{1} 个字符',
  '{1} chunk': '{1} 个块',
  '{1} chunks': '{1} 个块',
  '{1} document': '{1} 个文档',
  '{1} documents': '{1} 个文档',
  '{1} file': '{1} 个文件',
  '{1} files': '{1} 个文件',
  '{1} more passage': '另有 {1} 个段落',
  '{1} more passages': '另有 {1} 个段落',
  '{1} new passage': '新增 {1} 个段落',
  '{1} new passages': '新增 {1} 个段落',
  '{1} page': '{1} 页',
  '{1} pages': '{1} 页',
  '{1} passage': '{1} 个段落',
  '{1} passages': '{1} 个段落',
  '{1} section': '{1} 个章节',
  '{1} sections': '{1} 个章节',
  '{1} vector': '{1} 个向量',
  '{1} vectors': '{1} 个向量',
};
