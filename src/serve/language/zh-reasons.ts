import type { Translations } from './language.js';

/** Parts of messages: reasons, findings and notes that are filled into others. */
export const ZH_REASONS: Translations = {
  // The glossary.
  'a line is a term, a tab, and a translation or synonym': '每行是一个词、一个制表符和它的译名或同义词',
  'a term has at most {1} characters': '每个词最多 {1} 个字符',
  'a term has letters or digits': '词里要有文字或数字',
  '{1}: only the first {2} terms are used': '{1}：只用前 {2} 个词',
  '{1}: and {2} more lines like these': '{1}：这样的行还有 {2} 行',
  '{1} is not used: {2}': '没有使用 {1}：{2}',
  'it is no file': '它不是文件',
  'it is larger than 1 MB': '它超过 1 MB',
  // Reading files and pages.
  'no such file or folder': '没有这个文件或文件夹',
  'no such file: a part of the path is a file, not a folder': '没有这个文件：路径中有一段是文件，不是文件夹',
  'permission denied': '没有权限',
  'a loop of symbolic links': '符号链接成环',
  'the name is too long for this system': '名称对本系统来说太长',
  'the disk gave an input/output error': '磁盘输入输出错误',
  'another program holds it': '被另一个程序占用',
  'too many files are open': '打开的文件太多',
  'cannot be read ({1})': '无法读取（{1}）',
  'a link, not followed': '是链接，不跟随',
  'an archive': '压缩包',
  'the server answered {1} {2}': '服务器回答 {1} {2}',
  'the server refused the connection': '服务器拒绝连接',
  'the server broke the connection off': '服务器中断了连接',
  'the server did not answer': '服务器没有回答',
  'the server cannot be reached': '无法连到服务器',
  'the network cannot be reached': '无法连到网络',
  'the server’s certificate has expired': '服务器证书已过期',
  'the server’s certificate is signed by itself': '服务器证书是自签名的',
  'could not be fetched ({1})': '无法获取（{1}）',
  // Parsing.
  'took longer than the {1} s a file of this size may take to parse': '解析超过了这种大小的文件允许的 {1} 秒',
  'could not be handed to a process of its own: {1}': '无法交给单独的进程：{1}',
  'needs more than the {1} MB of memory a file of this size may take to parse':
    '解析所需内存超过这种大小的文件允许的 {1} MB',
  'not started': '未启动',
  'could not be cut ({1}); kept as one passage': '无法切分（{1}）；作为一个段落保留',
  'would take {1} {2}, more than the {3} a file of its size may have':
    '会占 {1} {2}，超过这种大小的文件允许的 {3}',
  'bytes in the library': '字节的资料库空间',
  'the file is empty': '文件是空的',
  'its structure could not be read ({1}); read as text': '无法读取结构（{1}）；按文本读取',
  'its structure could not be read ({1})': '无法读取结构（{1}）',
  'the front matter cannot be read: {1}': '无法读取文首元数据：{1}',
  'longer than {1} characters': '长于 {1} 个字符',
  'read without sections: longer than {1} million characters': '未分章节读取：长于 {1} 百万字符',
  'read without sections: {1}': '未分章节读取：{1}',
  'read without sections: no valid YAML: {1}': '未分章节读取：不是有效的 YAML：{1}',
  '{1} at line {2}': '{1}，第 {2} 行',
  'its grammar took more than {1} s': '语法分析超过 {1} 秒',
  'no JSON, read as text: line {1}': '不是 JSON，按文本读取：第 {1} 行',
  'a key in double quotes': '双引号里的键',
  'a value or "}"': '值或“}”',
  'the end': '结尾',
  '{1} outputs were cut to {2} characters': '{1} 个输出截为 {2} 个字符',
  'tables and lists were read as text: {1}': '表格和列表按文本读取：{1}',
  'an Outlook message (.msg)': 'Outlook 邮件（.msg）',
  '.html or .txt': '.html 或 .txt',
  'the PDF holds no text': 'PDF 里没有文字',
  '{1} could not be read': '{1}无法读取',
  '{1} of {2} hold pictures only and need OCR: `strata add --ocr auto` reads them':
    '{2}中有 {1}只有图片，需要 OCR：`strata add --ocr auto` 可以识别',
  'OCR found no text in its pictures': 'OCR 没有在它的图片里找到文字',
  'read by OCR with doubt: {1}; a poor scan, or a script other than Chinese and Latin':
    '{1}的 OCR 结果不可靠：扫描质量差，或不是中文和拉丁文字',
  // Arguments.
  'must be true or false': '必须是 true 或 false',
  'must be a text': '必须是文本',
  'must be a list of texts': '必须是文本列表',
  'must be a list': '必须是列表',
  'needs at least one; {1}': '至少需要一个；{1}',
  'must be at most {1} texts, not {2}': '最多 {1} 个文本，现有 {2} 个',
  'must be at most {1} characters, not {2}': '最多 {1} 个字符，现有 {2} 个',
  '"{1}" is none of {2}': '“{1}”不是 {2} 之一',
  'must be a number': '必须是数字',
  'must be a whole number, not {1}': '必须是整数，不能是 {1}',
  'must be at least {1}, not {2}': '必须不小于 {1}，现为 {2}',
  'must be at most {1}, not {2}': '必须不大于 {1}，现为 {2}',
  'a string that is not empty': '非空字符串',
  'a whole number of at least 0': '不小于 0 的整数',
  'an object of JSON': 'JSON 对象',
  'an object': '对象',
  'must not be before start_position': '不能在 start_position 之前',
  'is no field of a KnowledgeChunk': '不是 KnowledgeChunk 的字段',
  'the token file': '令牌文件',
  // Searching.
  'Nothing matches{1}.': '没有匹配{1}的内容。',
  'Of {1} briefs {2} fit into max_tokens.': '{1} 条简介中有 {2} 条放得进 max_tokens。',
  'Did you mean: {1}': '是不是要找：{1}',
  'Nothing here clearly answers this. The nearest there is:': '这里没有明确回答它的内容。最接近的是：',
  '(no title)': '（无标题）',
  'Ranked without the reranker: {1}.': '排序未用重排模型：{1}。',
  'The reranker has read {1} of {2} passages within {3} s.':
    '重排模型在 {3} 秒内读完 {2} 个段落中的 {1} 个。',
  'Questions and the best passages are sent to {1} to be ranked.': '问题和最佳段落会发送到 {1} 进行排序。',
  'Searched by words only: {1}.': '只按词检索：{1}。',
  'Searched whole documents: {1}.': '按整个文档检索：{1}。',
  'the library has no vectors yet (`strata embed` makes them)': '资料库还没有向量（`strata embed` 可生成）',
  'no embedding model is set up': '没有配置嵌入模型',
  'the vectors are of another embedding model (rebuild to use this one)':
    '向量属于另一个嵌入模型（重建后才能用这个）',
  ' ({1} of them made for this question)': '（其中 {1} 个是为这个问题生成的）',
  'Vectors cover {1} % of the chunks so far{2}; `strata embed` makes the rest.':
    '目前向量覆盖 {1} % 的段落{2}；`strata embed` 可生成其余的。',
  'Nothing here answers this: neither its words nor its meaning are in the library.':
    '这里没有能回答它的内容：资料库里既没有它的词，也没有它的含义。',
  'the chunk index is damaged (`strata doctor` says more)': '段落索引已损坏（`strata doctor` 有详情）',
  'the library has no chunks': '资料库没有段落',
  'the embedding model is not on this machine yet (`strata embed` fetches it)':
    '嵌入模型还不在本机（`strata embed` 会获取）',
  'search by meaning is switched off (`--embedder none`)': '按含义检索已关闭（`--embedder none`）',
  'the embedding model is still loading': '嵌入模型还在加载',
  'switched off (--embedder none)': '已关闭（--embedder none）',
  'no vectors yet; `strata embed` makes them': '还没有向量；`strata embed` 可生成',
  'Left out, being damaged: {1}{2}. `strata doctor --fix` repairs what it can.':
    '因损坏而略去：{1}{2}。`strata doctor --fix` 会修复能修复的。',
  'No document here has the id': '这里没有文档的 id 是',
  'Nothing in the library is at or below the path': '资料库里没有内容位于路径',
  'No document here has the format': '这里没有文档的格式是',
  'No passage here is of the kind': '这里没有段落的种类是',
  'No document here has the tags': '这里没有文档带有标签',
  'No document here is in the collection': '这里没有文档属于集合',
  'No document here was changed at or after': '这里没有文档改动于此日期或之后：',
  'No document here was changed before': '这里没有文档改动于此日期之前：',
  'No table has strings of the tool': '没有表含有此工具的字符串：',
  'No search tool has indexed a string of the table': '还没有检索工具索引过此表的字符串：',
  '{1} {2}: `strata list` shows what there is.': '{1} {2}：`strata list` 可列出已有的。',
  // Verifying.
  'at line {1}': '第 {1} 行',
  'on page {1}': '第 {1} 页',
  '{1} (lines {2})': '{1}（第 {2} 行）',
  '{1} (page {2})': '{1}（第 {2} 页）',
  '{1} (pages {2})': '{1}（第 {2} 页）',
  'filter "{1}" must be {2}.': '过滤条件“{1}”必须是{2}。',
  'a text': '一个文本',
  'a list of texts': '文本的列表',
  '"{1}" ends several paths: {2}{3}; write more of it.': '“{1}”是多个路径的结尾：{2}{3}；请写得更完整些。',
  'The {1} {2} is damaged on disk': '磁盘上的 {1} {2} 已损坏',
  ', {1} % alike': '，{1} % 相似',
  '{1} still says so': '{1} 仍是这样写的',
  'moved within {1}': '在 {1} 之内移动了',
  'moved to {1}': '移到了 {1}',
  '{1} no longer exists': '{1} 已不存在',
  '{1} no longer holds this passage': '{1} 里已没有这个段落',
  'the cited document is no longer in the library, and no other one holds this passage':
    '所引文档已不在资料库里，也没有别的文档含有这个段落',
  'the cited document is no longer in the library; {1} holds the passage':
    '所引文档已不在资料库里；{1} 含有这个段落',
  '{1} says something else now{2}': '{1} 现在说的不一样了{2}',
  " (asked of the library's copy: {1})": '（以资料库里的副本为准：{1}）',
  '{1} is no file that can be read here': '{1} 不是这里可以读取的文件',
  // Trust.
  'belongs to another user (uid {1}), who decides what is found in it':
    '属于另一个用户（uid {1}），里面能找到什么由他决定',
  'keeps its data outside its folder, in {1}': '把数据保存在文件夹之外的 {1}',
  'makes its vectors with {1}: texts and questions go there, or a model from there is run':
    '用 {1} 生成向量：文本和问题会发到那里，或运行来自那里的模型',
  'names files below {1}': '指向 {1} 下的文件',
  '{1}: this library {2}': '{1}：这个资料库{2}',
  'may use only what was granted': '只能使用获准的内容',
  "{1}: {2} may not do this; the library's owner can grant it": '{1}：{2} 不能这样做；资料库的所有者可以授权',
  '{1} {2}: there is none; `strata {3} list` shows what there is':
    '{1} {2}：没有；`strata {3} list` 可列出已有的',
  // Vectors and models.
  'Embedding stopped: {1}': '生成向量已停止：{1}',
  'Another process is making the vectors of this library; waiting for it.':
    '另一个进程正在为这个资料库生成向量；正在等待。',
  'The vectors were made by {1}, which is not here any more ({2} is): strata embed makes new ones; until then search goes by words.':
    '向量是由 {1} 生成的，它已不在这里（现有 {2}）：strata embed 会生成新的；在此之前按词检索。',
  "a vector has {1} dimensions, the library's model {2}": '向量有 {1} 维，资料库的模型是 {2} 维',
  "The query has {1} dimensions, the library's vectors {2}.": '查询有 {1} 维，资料库的向量是 {2} 维。',
  "The query was embedded by {1}, the library's vectors by {2}.":
    '查询由 {1} 嵌入，资料库的向量由 {2} 生成。',
  'sent more than the file has': '发来的比文件还多',
  'no answer within {1} s': '{1} 秒内没有回答',
  'the registry': '注册表',
  'npm registry': 'npm 注册表',
  'model hub': '模型库',
  '{1}: not there': '{1}：不存在',
  '{1}: the checksum is wrong': '{1}：校验和不对',
  'checksum is wrong': '校验和不对',
  'Chinese, and some English; int8': '中文及部分英文；int8',
  'reads scans in Chinese and English': '识别中英文扫描件',
  ' and asks to wait {1} s': '，并要求等待 {1} 秒',
  'did not answer within {1} s': '在 {1} 秒内没有回答',
  'cannot be reached ({1})': '无法连到（{1}）',
  'gave an answer that is cut short or no JSON': '给出的回答不完整或不是 JSON',
  'the runtime cannot be loaded': '运行时无法加载',
  'parts of a vector': '向量的部分',
  'sketches of vectors': '向量的概要',
  'Vectors of {1} have {2} dimensions here, not {3}.': '{1} 的向量在这里是 {2} 维，不是 {3} 维。',
  'The vector for {1} is not {2} finite numbers; nothing was stored.':
    '{1} 的向量不是 {2} 个有限数；什么也没有保存。',
  // Evaluation.
  '{1}: {2} of the questions are empty; they count as not answered': '{1}：有 {2} 个问题是空的；按没有回答计',
  // Doctor.
  '{1}: {2} of its passages cannot be found by their words': '{1}：有 {2} 个段落无法按词找到',
  '{1} files have changed since they were added: `strata add` brings them up to date':
    '{1} 个文件在添加之后有改动：`strata add` 会更新',
  '{1} files no longer exist: `strata add --sync` forgets them':
    '{1} 个文件已不存在：`strata add --sync` 会忘掉它们',
  '{1} passages in JSON files: meant for {2}, beyond which SQLite is faster':
    'JSON 文件里有 {1} 个段落：适合 {2} 个以内，再多时 SQLite 更快',
  '{1} is on a network drive ({2}): let one machine at a time write to it':
    '{1} 在网络盘上（{2}）：同一时间只让一台机器写入',
  'process {1} is writing to the library now': '进程 {1} 正在写入资料库',
  'search is by words alone{1}': '只按词检索{1}',
  '{1} of {2} passages have no vector yet{3}': '{2} 个段落中有 {1} 个还没有向量{3}',
  'the state of the vectors cannot be told: {1}': '无法得知向量的状态：{1}',
  '{1}: the list of what counts is damaged': '{1}：有效内容的清单已损坏',
  'add its source again': '请重新添加它的来源',
  'document {1} cannot be read: set aside as {2}; {3}': '文档 {1} 无法读取：已移到 {2}；{3}',
  '{1}: its words are not those of its text': '{1}：词与文本不符',
  '{1}: the {2} "{3}" is lost; set it again': '{1}：{2}“{3}”已丢失；请重新设置',
  '{1} was left behind by a writer that died': '{1} 是已终止的写入者留下的',
  'slice {1} does not have its hash': '切片 {1} 与哈希不符',
  '{1} is damaged: its {2} vectors are made again when the library is next embedded':
    '{1} 已损坏：其中的 {2} 个向量在下次生成向量时重新生成',
  '{1} vectors belong to no chunk': '{1} 个向量不属于任何段落',
  '{1} was written by a newer Strata (format {2}): please update.':
    '{1} 由更新的 Strata 写成（格式 {2}）：请升级。',
  '{1} is not empty: name a new folder for the backup.': '{1} 不是空的：请为备份指定新文件夹。',
  'the list of what counts, in {1}, is damaged; it was made again from the documents':
    '{1} 里有效内容的清单已损坏；已用文档重新生成',
  ': it was taken out; add it again': '：已取出；请重新添加',
  '; `strata doctor --fix` takes it out': '；`strata doctor --fix` 会取出它',
  '; `strata doctor --fix` mends it or takes it out': '；`strata doctor --fix` 会修好或取出它',
  '{1}: chunk {2} is not as it was written': '{1}：段落 {2} 与写入时不同',
  'A vector belongs to no chunk.': '有一个向量不属于任何段落。',
  'A vector fails its checksum.': '有一个向量的校验和不对。',
  'The parts of a vector fail their checksum.': '向量各部分的校验和不对。',
  'A row of {1} belongs to no document.': '{1} 的一行不属于任何文档。',
  'The library was made anew from the {1} documents that were whole; the damaged file is {2}.':
    '已用 {1} 个完好的文档重建资料库；损坏的文件是 {2}。',
  'chunk {1} is missing': '段落 {1} 缺失',
  'chunk {1} does not have its hash': '段落 {1} 与哈希不符',
  'chunk {1} has an id not its own': '段落 {1} 的 id 不是它自己的',
  'it cannot be read: {1}': '无法读取：{1}',
  'document number {1}': '第 {1} 号文档',
  'is not one of Strata’s': '不是 Strata 的',
  'is damaged': '已损坏',
  'An index of the library is damaged (asked for {1}); run `strata doctor --fix`.':
    '资料库的一个索引已损坏（查询 {1} 时）；请运行 `strata doctor --fix`。',
  'The entry of word segment {1} is damaged; run `strata doctor --fix`.':
    '词段 {1} 的条目已损坏；请运行 `strata doctor --fix`。',
  "{1}: the library's counters are damaged; run `strata doctor --fix`.":
    '{1}：资料库的计数已损坏；请运行 `strata doctor --fix`。',
  'Word statistics have an impossible page ({1}); run `strata doctor --fix`.':
    '词统计有不可能的页（{1}）；请运行 `strata doctor --fix`。',
  'Unit {1} is indexed and has no record.': '单元 {1} 有索引而没有记录。',
  'Unit {1} is indexed as something else.': '单元 {1} 的索引是别的内容。',
  'Unit {1} is not indexed.': '单元 {1} 没有索引。',
  'Word segments overlap at unit {1}.': '词段在单元 {1} 处重叠。',
  'The words of unit {1} are not those of its text.': '单元 {1} 的词与文本不符。',
  'Segment {1} has a wrong directory.': '词段 {1} 的目录不对。',
  'Segment {1} holds a unit that is not its own.': '词段 {1} 含有不属于它的单元。',
  'words of segment {1}': '词段 {1} 的词',
  'words of segment {1} (block {2})': '词段 {1}（块 {2}）的词',
  'word statistics (page {1})': '词统计（第 {1} 页）',
  'the directory of segment {1} was not fetched': '没有取到词段 {1} 的目录',
  'block {1} of segment {2} was not fetched': '没有取到词段 {2} 的块 {1}',
  '{1} of document {2}': '文档 {2} 的 {1}',
  'has words whose counts do not fit their terms': '词的计数与词条不符',
  'has words that list a term twice': '词表里有重复的词条',
  // Locks, PostgreSQL, LanceDB.
  'Another process is writing to this library; waiting for it.': '另一个进程正在写入这个资料库；正在等待。',
  '{1}: another process has been writing for {2} s; try again when it is done.':
    '{1}：另一个进程已写入 {2} 秒；等它完成后再试。',
  '{1}: process {2} on {3} has been writing{4}; try again when it has finished':
    '{1}：{3} 上的进程 {2} 一直在写入{4}；等它完成后再试',
  ' (if that machine is gone, delete the files in {1})': '（如果那台机器已不在，请删除 {1} 里的文件）',
  '{1} cannot be written; check permissions and free space ({2}).':
    '{1} 无法写入；请检查权限和剩余空间（{2}）。',
  '9p (a shared folder)': '9p（共享文件夹）',
  'a network share': '网络共享',
  'a library in LanceDB needs its packages: run `npm install @lancedb/lancedb@0.37 apache-arrow@18`':
    'LanceDB 里的资料库需要它的软件包：请运行 `npm install @lancedb/lancedb@0.37 apache-arrow@18`',
  'a library in PostgreSQL needs the package postgres: run `npm install postgres@3`':
    'PostgreSQL 里的资料库需要软件包 postgres：请运行 `npm install postgres@3`',
  'no PostgreSQL server answers there; check that it runs, and the host and port':
    '那里没有 PostgreSQL 服务器应答；请检查它是否在运行，以及主机和端口',
  'the server went away; nothing half was written. Try again when it is back':
    '服务器断开了；没有写入半截内容。等它恢复后再试',
  'the server refused the user or the password ({1}); correct STRATA_POSTGRES_URL':
    '服务器拒绝了用户或密码（{1}）；请改正 STRATA_POSTGRES_URL',
  'the host is not known; correct the address': '找不到主机；请改正地址',
  'the server is read-only (a standby?); write to its primary': '服务器是只读的（备库？）；请写入主库',
  'the role may not do that ({1}); grant it what docs/guides/stores.md lists':
    '该角色没有权限（{1}）；请授予 docs/guides/stores.md 所列的权限',
  "the server's disk is full; nothing was written. Free some space there and try again":
    '服务器磁盘已满；什么也没有写入。请在那里腾出空间再试',
  'the server has no more room for this ({1}); try again, or lower ?pool=':
    '服务器没有余量了（{1}）；请再试，或调低 ?pool=',
  "something is too long for the server's index ({1}); shorten the document's source":
    '有内容对服务器的索引来说太长（{1}）；请缩短文档的来源',
  'the server ended a statement ({1}); raise its statement_timeout':
    '服务器中止了语句（{1}）；请调高 statement_timeout',
  "{1}, and is not Strata's; name another schema with ?schema=":
    '{1}，且不是 Strata 的；请用 ?schema= 指定别的模式',
  '{1}; the database must have the encoding UTF8': '{1}；数据库的编码必须是 UTF8',
  'the server refused: {1} ({2})': '服务器拒绝：{1}（{2}）',
  'no secure connection ({1}); see sslmode in docs/guides/stores.md':
    '没有安全连接（{1}）；见 docs/guides/stores.md 里的 sslmode',
  '{1}: the server has no pgvector; install it there (Debian: postgresql-NN-pgvector), or take a server that has it':
    '{1}：服务器没有 pgvector；请在那里安装（Debian：postgresql-NN-pgvector），或换一台有的',
  'the connection is gone': '连接已断开',
  '{1}: libraries of this schema have vectors of {2} dimensions, not {3}; keep this one in a schema of its own (?schema=NAME).':
    '{1}：这个模式里的资料库用 {2} 维向量，不是 {3} 维；请把它放在单独的模式里（?schema=NAME）。',
  '"embedder": no embedder is called "{1}"; see `strata models`':
    '“embedder”：没有叫“{1}”的嵌入器；见 `strata models`',
  'is no JSON ({1}); correct or remove it': '不是 JSON（{1}）；请改正或删除它',
  'must be an object, such as {"store": "json"}': '必须是对象，例如 {"store": "json"}',
  '"{1}" is not known; known are {2}': '不认识“{1}”；可用的有 {2}',
  '"{1}" must be a text': '“{1}”必须是文本',
  '"{1}" must be a number': '“{1}”必须是数字',
  '"{1}" must be true or false': '“{1}”必须是 true 或 false',
  '"store" holds a user or password; put those into STRATA_POSTGRES_URL':
    '“store”里有用户名或密码；请放到 STRATA_POSTGRES_URL 里',
  'is a link; it must be a file': '是链接；必须是文件',
  'must be a file': '必须是文件',
  'is larger than {1} KB': '大于 {1} KB',
  '{1}: is kept by {2}, and strata.config.json names {3}; correct that file, or take "store" out of it and run `strata move --to {4} --switch`':
    '{1}：由 {2} 保存，而 strata.config.json 写的是 {3}；请改正该文件，或从中去掉“store”再运行 `strata move --to {4} --switch`',
  'a path, a place (guide.md:12), an id or its beginning (#0d8b53), or a citation (strata:…)':
    '路径、位置（guide.md:12）、id 或其开头（#0d8b53），或引用（strata:…）',
  'No passage has the id "{1}" here.': '这里没有 id 为“{1}”的段落。',
  '"{1}" is no date; write it as 2026-01-31': '“{1}”不是日期；请写成 2026-01-31',
  'There was no library: an empty one was made in {1}. Add documents to it, or name another with --library.':
    '原来没有资料库：已在 {1} 新建一个空的。请向其中添加文档，或用 --library 指定别的。',
  'The library {1} is empty: nothing could be searched. Add documents to it, or connect the library that has them.':
    '资料库 {1} 是空的：没有可检索的内容。请添加文档，或连接有文档的资料库。',
  'the text does not have its hash': '文本与哈希不符',
  'its text does not have its hash': '它的文本与哈希不符',
  'its text is missing': '它的文本缺失',
  '{1}: its text does not have its hash': '{1}：它的文本与哈希不符',
  'read as text without structure: its tags nest deeper than {1} levels':
    '按无结构的文本读取：标签嵌套超过 {1} 层',
  'the fonts do not say what {1} % of the characters mean: the text may be wrong, OCR would help':
    '字体没有说明 {1} % 的字符的含义：文本可能有误，OCR 会有帮助',
  'No document here is of the file type': '这里没有文档的文件类型是',
  'chunk {1} is not the text at its place': '段落 {1} 与所在位置的文本不符',
  'no memory for the picture of a page': '没有足够内存画出页面',
  'colours in planes of their own': '颜色分平面存放',
  'compression {1}': '压缩方式 {1}',
  '{1} samples of kind {2}': '{1} 个 {2} 类样本',
};
