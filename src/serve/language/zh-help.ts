import type { Translations } from './language.js';

/** What `--help` shows: commands, arguments, flags, examples, and commander's own words. */
export const ZH_HELP: Translations = {
  'Usage:': '用法：',
  'Arguments:': '参数：',
  'Options:': '选项：',
  'Global Options:': '全局选项：',
  'Commands:': '命令：',
  'Examples:': '例子：',
  'Start here:': '从这里开始：',
  'Every command: strata <command> --help': '每个命令的说明：strata <命令> --help',
  'Show help': '显示帮助',
  'Show help for a command': '显示某个命令的帮助',
  'add a folder and a file': '添加一个文件夹和一个文件',
  'find the passage that answers': '找出回答问题的段落',
  '{1} (repeatable)': '{1}（可重复）',
  '{1} (default {2})': '{1}（默认 {2}）',
  '{1} (one of {2})': '{1}（{2} 之一）',
  '{1} (repeatable; one of {2})': '{1}（可重复；{2} 之一）',
  '{1} (repeatable; default {2})': '{1}（可重复；默认 {2}）',
  "error: unknown option '{1}'": '错误：不认识选项“{1}”',
  "error: unknown command '{1}'": '错误：不认识命令“{1}”',
  "error: missing required argument '{1}'": '错误：缺少参数“{1}”',
  "error: required option '{1}' not specified": '错误：缺少必需的选项“{1}”',
  "error: too many arguments for '{1}'. Expected {2} arguments but got {3}.":
    '错误：“{1}”的参数太多：应有 {2} 个，给了 {3} 个。',
  "error: too many arguments for '{1}'. Expected {2} argument but got {3}.":
    '错误：“{1}”的参数太多：应有 {2} 个，给了 {3} 个。',
  'error: too many arguments. Expected {1} arguments but got {2}.':
    '错误：参数太多：应有 {1} 个，给了 {2} 个。',
  "error: option '{1}' argument missing": '错误：选项“{1}”缺少值',
  "error: option '{1}' argument '{2}' is invalid. Allowed choices are {3}.":
    '错误：选项“{1}”的值“{2}”无效。可用的有 {3}。',
  "error: option '{1}' argument '{2}' is invalid. {3}": '错误：选项“{1}”的值“{2}”无效。{3}',
  '(Did you mean {1}?)': '（是不是想写 {1}？）',
  '(Did you mean one of {1}?)': '（是不是想写 {1} 之一？）',
  '"{1}" is no number; write one, such as 10.': '“{1}”不是数字；请写数字，例如 10。',
  'It is a percentage, from 0 to 100.': '它是百分数，从 0 到 100。',
  'It is en or zh.': '应为 en 或 zh。',
  '{1} (--help shows what there is)': '{1}（--help 可列出可用的）',
  // What every command understands.
  'Long documents in, the exact passage out, in Chinese and in English, with a citation.':
    '长文档进，精确段落出，中文英文皆可，并附引用。',
  'Print the version': '显示版本',
  'Speak English (en) or Chinese (zh); else as LANG says': '用英文（en）或中文（zh）；否则依 LANG',
  "The library's folder (else STRATA_LIBRARY, .strata in the project, your data folder)":
    '资料库的文件夹（否则用 STRATA_LIBRARY、项目里的 .strata、你的数据文件夹）',
  'Who keeps a new library: sqlite:FILE, json:DIR, lancedb:DIR, postgres://HOST/DATABASE, memory':
    '新资料库由谁保存：sqlite:FILE、json:DIR、lancedb:DIR、postgres://HOST/DATABASE、memory',
  'Print JSON': '输出 JSON',
  'Print results and errors only': '只输出结果和错误',
  // add
  'Add files, folders and web pages, or bring them up to date': '添加文件、文件夹和网页，或更新它们',
  'Reads the given files and folders into the library and makes them searchable. Files that have not changed are skipped, changed ones replaced, renamed ones recognised (they keep their id). A web address is fetched again only if its server says that it has changed. In folders, hidden files and what .gitignore and .strataignore name are left out. A file that cannot be read is reported with the reason; the others are added all the same.':
    '把给出的文件和文件夹读入资料库并使其可检索。没有变化的文件会跳过，变化的会替换，改名的会认出来（id 不变）。网址只在服务器说它有变化时才重新获取。文件夹里的隐藏文件以及 .gitignore 和 .strataignore 所列的会略去。无法读取的文件会报告原因，其余照常添加。',
  'Files, folders and http(s) addresses': '文件、文件夹和 http(s) 网址',
  'How to cut: hierarchical (inside sections, by size), h2 (at every H2, no maximum), content (paragraphs, windows)':
    '如何切分：hierarchical（在章节之内，按大小）、h2（在每个二级标题处，不设上限）、content（段落与滑动窗口）',
  'The longest chunk, in characters': '最长的块，按字符计',
  'The shortest chunk worth standing alone, in characters': '可独立成块的最短长度，按字符计',
  'How much of a window its neighbour repeats: 0 to 0.5': '相邻窗口重叠的比例：0 到 0.5',
  'Also remove documents whose files have vanished below the given folders':
    '同时移除所给文件夹下文件已消失的文档',
  'Say what would happen, change nothing': '只说会发生什么，不做改动',
  'Read again even what looks unchanged': '看上去没变的也重新读取',
  'Add a whole home folder or disk without asking': '不经询问就添加整个主文件夹或磁盘',
  'Tag the documents': '给文档加标签',
  'Put the documents into this collection': '把文档放进这个集合',
  'For encrypted documents': '用于加密的文档',
  'Read pictures of text: pages without text and named pictures (auto, the default), none (off), all pages and pictures (always); remembered':
    '识别文字的图片：没有文字的页和点名的图片（auto，默认）、都不识别（off）、所有页和图片（always）；会记住',
  'pictures in folders, too': '文件夹里的图片也识别',
  'Fetch from this host though it is on this machine or a private network': '即使该主机在本机或内网也获取',
  'make vectors for search by meaning before returning': '在返回之前生成按含义检索的向量',
  'Parsing threads (0: none besides this one)': '解析线程数（0：只用本线程）',
  'a folder and a file': '一个文件夹和一个文件',
  'and forget what has been deleted there': '并忘掉那里已删除的',
  'a web page': '一个网页',
  'what would be added?': '会添加什么？',
  // search, scout, inspect
  'Find the passages that answer a question': '找出回答问题的段落',
  'Finds passages by words and by meaning and shows the best of each document, with its titles, its place (line or page), how well it matches (0–100 %, the same scale in every mode) and an id that `inspect`, `show` and `verify` take. Put "exact phrases" in quotes; `-word` at the end leaves out passages that hold it. Chinese and English, mixed if you like.':
    '按词和按含义查找段落，每个文档列出最好的一段，带标题、位置（行或页）、匹配程度（0–100 %，各种方式同一尺度）以及 `inspect`、`show`、`verify` 都能用的 id。"精确短语"请加引号；末尾写“-词”排除含该词的段落。中英文可混用。',
  'Passages of each document at most; 0 for all': '每个文档最多几段；0 表示全部',
  'Only passages that match at least this well': '只要匹配程度不低于此值的段落',
  'What to add around a hit in JSON: its neighbours, the whole document, none':
    'JSON 里命中段落前后再带什么：相邻段落、整个文档、不带',
  'Show everything there is, whole': '全部完整显示',
  'How to print the answer': '以什么格式输出',
  'these words together, and not that one': '这些词连在一起，并且不含那个词',
  'also json, jsonl, md, csv': '还有 json、jsonl、md、csv',
  'What to look for': '要找什么',
  'Documents at most; 0 for all': '最多几个文档；0 表示全部',
  'hybrid (words and meaning), keyword, tfidf, or vector': 'hybrid（词和含义）、keyword、tfidf 或 vector',
  'What to load around a hit: its neighbours, the whole document, none':
    '命中周围加载什么：相邻段落、整个文档、不加载',
  'The last word may be unfinished (so may any word followed by *)':
    '最后一个词可以没写完（后面带 * 的词也可以）',
  'Show what speaks for each passage (words, meaning, its document, words together, better passages that name it or are like it), and which words were translated':
    '显示每个段落凭什么入选（词语、语义、所在文档、词语相邻、被更好的段落提及或与之相近），以及哪些词语作了翻译',
  'Only documents at or below this path (as the library shows it), or matching this glob':
    '只要位于此路径（按资料库所示）或其下、或匹配此通配符的文档',
  'Only documents of these formats: markdown, text, pdf, …': '只要这些格式的文档：markdown、text、pdf……',
  'Only passages of these kinds': '只要这些种类的段落',
  'Only documents with all of these tags': '只要带有全部这些标签的文档',
  'Only documents of these collections': '只要这些集合里的文档',
  'Only documents changed at or after this date (2026-01-31, or with a time)':
    '只要在此日期或之后改动的文档（2026-01-31，可带时间）',
  'Only documents changed before this date': '只要在此日期之前改动的文档',
  'a question': '一个问题',
  'below one folder': '在一个文件夹之下',
  'for programs': '供程序使用',
  'List what may be relevant, in brief: titles, ids, summaries': '简要列出可能相关的：标题、id、摘要',
  'The same search as `search`, cut to briefs of documents and passages without their content, within a token budget: look first, then `inspect` the ids that matter.':
    '与 `search` 相同的检索，只给文档和段落的简介而不含内容，并限制在令牌预算之内：先看一眼，再用 `inspect` 细看要紧的 id。',
  'Briefs at most; 0 for all': '最多几条简介；0 表示全部',
  'Stop before the answer exceeds this many tokens': '在回答超过这么多令牌之前停下',
  'what is there about it?': '有哪些相关内容？',
  "never more than an agent's context can take": '不超过智能体上下文能容纳的量',
  'Show the full content behind an id': '显示某个 id 的完整内容',
  "A passage's id gives its content, title and document; a document's id gives all its passages with their content, in order. Ids come from `scout`, `search` and `list`.":
    '段落的 id 给出其内容、标题和文档；文档的 id 按顺序给出全部段落及内容。id 来自 `scout`、`search` 和 `list`。',
  'Of a passage or a document': '段落或文档的 id',
  'an id that scout printed': 'scout 打印的 id',
  // verify, list, show, remove, status
  'Check whether a source still says what was cited': '核对来源是否仍与引用一致',
  'Takes a citation as `search` prints it, a passage’s id or its beginning (`#0d8b53`), or a place (`guide.md:12`, `paper.pdf:p.4`), and compares what the library holds there it with the source as it is now: unchanged; moved, with the new place (also in another document); changed, with the passage most like it; or gone. Where the source cannot be read (a note, a web page), the copy in the library is asked, and the answer says so.':
    '接受 `search` 打印的引用、段落的 id 或其开头（`#0d8b53`），或一个位置（`guide.md:12`、`paper.pdf:p.4`），把资料库里的内容与来源现状相比：未变；已移动，并给出新位置（也可能在别的文档里）；已改动，并给出最相似的段落；或已消失。来源无法读取时（笔记、网页）以资料库里的副本为准，并会说明。',
  'A citation, the strata:… reference in it, a passage’s id, or a place':
    '引用、其中的 strata:… 标识、段落的 id，或一个位置',
  'still true?': '还对吗？',
  'does the file still say what was added?': '文件里还是添加时的内容吗？',
  'List the documents in the library': '列出资料库里的文档',
  'Documents in the order of their sources, with title, size in passages and when they last changed.':
    '按来源排序的文档，带标题、段落数和最后改动时间。',
  "Start after this source (the last answer's `next`)": '从这个来源之后开始（上次回答里的 `next`）',
  everything: '全部',
  'some of it': '其中一部分',
  'Show one document: what it is, its outline, its text': '显示一个文档：概况、大纲、文本',
  "A document's record, its sections as an outline, and its text as the library keeps it.":
    '文档的记录、以大纲显示的章节，以及资料库保存的文本。',
  'Only the text': '只要文本',
  "Its path, its id, or the id's beginning": '它的路径、id，或 id 的开头',
  'by path': '按路径',
  "the text, by an id's beginning": '文本，按 id 的开头',
  'Remove documents from the library (files stay untouched)': '从资料库移除文档（文件不动）',
  'Removes documents by path, folder or id, with their passages, words and vectors. The files themselves are not touched.':
    '按路径、文件夹或 id 移除文档及其段落、词和向量。文件本身不动。',
  'Say what would be removed, change nothing': '只说会移除什么，不做改动',
  'Paths, folders or ids': '路径、文件夹或 id',
  'one document': '一个文档',
  'what is below that folder?': '那个文件夹下有什么？',
  'Say what the library holds and what is missing': '说明资料库里有什么、缺什么',
  'Where the library is, how many documents and passages it holds, how they are cut, and how many have vectors.':
    '资料库在哪里，有多少文档和段落，如何切分，多少有向量。',
  'the library of this folder': '这个文件夹的资料库',
  'An id or its beginning (#0d8b53), a place (guide.md:12), a path, or a citation':
    'id 或其开头（#0d8b53）、位置（guide.md:12）、路径，或引用',
  'A path, an id or its beginning (#0d8b53), a place (guide.md:12), or a citation':
    '路径、id 或其开头（#0d8b53）、位置（guide.md:12），或引用',
  'Paths, folders, ids or their beginnings (#0d8b53), places (guide.md:12), or citations':
    '路径、文件夹、id 或其开头（#0d8b53）、位置（guide.md:12），或引用',
  // embed, models
  'Make the vectors that are still missing, for search by meaning': '补上还缺的向量，以便按含义检索',
  'Embeds every passage that has no vector of the library’s model yet: after an interruption, after `add --no-embed`, or with --embedder to change the model. Searches go on meanwhile; a new model’s vectors are built beside the old ones and take over when they are complete.':
    '为还没有本资料库模型向量的段落生成向量：中断之后、`add --no-embed` 之后，或用 --embedder 更换模型时。其间检索照常；新模型的向量在旧的旁边生成，完成后接替。',
  'go on where it stopped': '从停下的地方继续',
  'change the model; searches go on meanwhile': '更换模型；其间检索照常',
  'List, fetch or remove the models for search by meaning': '列出、获取或删除按含义检索的模型',
  'The default models are fetched when they are first needed; this does it ahead, from a folder on a machine without a network, or frees the space again. Shows each model’s licence. Models run on this machine: nothing is sent anywhere.':
    '默认模型在首次需要时获取；这里可提前获取、在没有网络的机器上从文件夹获取，或释放空间。显示每个模型的许可证。模型在本机运行：什么也不会发出去。',
  'A folder or a tarball that has the files; a folder may hold the npm tarballs too':
    '含有这些文件的文件夹或压缩包；文件夹里也可以是 npm 压缩包',
  'What to do': '做什么',
  'Models by name; all without one': '按名称指定模型；不写则全部',
  'List, fetch or remove the models for search by meaning and for reading scans':
    '列出、获取或删除按含义检索和识别扫描件的模型',
  'the current folder': '当前文件夹',
  'a line of JSON a change': '每个变化一行 JSON',
  'Keep big JSON in the library: put, get, list, patch, remove':
    '把大的 JSON 存进资料库：put、get、list、patch、remove',
  'Make search tools of the long strings of a table, and call them': '用表里的长字符串做检索工具，并调用它们',
  'which there are, with licences, and which are here': '有哪些、许可证、哪些已在本机',
  'fetch the default models now': '现在就获取默认模型',
  'without a network': '没有网络时',
  // parse, rebuild, doctor
  "Show a file's structure and how it would be cut, without a library":
    '显示文件的结构以及会如何切分，不用资料库',
  'Parses files and shows their sections and passages as an outline; with --json the whole parsed document (sections, blocks, chunks with offsets, hashes and titles): an object for one file, a list for several.':
    '解析文件，把章节和段落显示为大纲；加 --json 给出完整的解析结果（章节、块、带偏移、哈希和标题的段落）：一个文件是对象，多个文件是列表。',
  Files: '文件',
  'the outline': '大纲',
  'everything, for programs': '全部，供程序使用',
  'Cut and index all documents again, from the texts the library keeps':
    '用资料库保存的文本重新切分和索引全部文档',
  'Makes passages and words again from the kept texts, with the given or remembered settings; no source file is read. Ids stay, and so do the vectors of passages that stay the same. Use it after an upgrade or to change the strategy.':
    '按所给或记住的设置，用保存的文本重新生成段落和词；不读任何源文件。id 不变，未变段落的向量也不变。用于升级之后或更换策略。',
  'with the settings as they are': '按现有设置',
  'cut at every H2 from now on': '从现在起在每个二级标题处切分',
  'Check the library, and repair what can be repaired': '检查资料库，修复能修复的',
  'Checks every invariant of the library (records, hashes, words, vectors) and says what is wrong; with `fix` it repairs what can be repaired from what is whole. Notes tell of what is not wrong but worth knowing: files that have changed, passages without vectors.':
    '检查资料库的每条约束（记录、哈希、词、向量）并说明哪里不对；加 `fix` 会用完好的部分修复能修复的。另有不算错误但值得知道的说明：改动过的文件、没有向量的段落。',
  'Repair what can be repaired': '修复能修复的',
  'is all well?': '一切都好吗？',
  'and repair it': '并修复',
  // backup, restore, move, trust
  'Copy the library, also while it is in use': '复制资料库，使用中也可以',
  'Writes a consistent copy of the library into a new folder; others may go on reading and writing meanwhile. The copy is a library itself: `--library` opens it, `restore` puts it back.':
    '把资料库的一致副本写入新文件夹；其间别人可照常读写。副本本身就是资料库：`--library` 可打开它，`restore` 可放回。',
  'A new or empty folder': '新的或空的文件夹',
  'a copy to keep': '留存的副本',
  'Put a backup in the place of the library': '用备份替换资料库',
  'Checks a backup and copies it to where the library is (or would be). A library that is there already is kept: `replace` puts it aside under another name. Programs that have the old library open must open it again.':
    '检查备份并复制到资料库所在（或将在）的位置。已有的资料库会保留：`replace` 会把它改名放到一边。打开着旧资料库的程序需要重新打开。',
  'Put the library that is there aside': '把已有的资料库放到一边',
  'The folder that `strata backup` wrote': '`strata backup` 写出的文件夹',
  'where there is no library yet': '那里还没有资料库时',
  'in place of the one that is there': '替换那里已有的',
  'Take the library to another store': '把资料库迁移到另一个存储',
  'Copies every document, section, passage and vector to another store, with the same ids, and compares all of it. Nothing is embedded again, and the library stays where it is until `switch`. A move that was interrupted goes on with the same command. Secrets come from the environment (STRATA_POSTGRES_URL).':
    '把每个文档、章节、段落和向量以相同的 id 复制到另一个存储，并全部比较一遍。不会重新生成向量；在 `switch` 之前资料库留在原处。中断的迁移用同一命令继续。密钥来自环境变量（STRATA_POSTGRES_URL）。',
  'The store: postgres://HOST/DATABASE, lancedb:DIR, json:DIR, sqlite:FILE':
    '存储：postgres://HOST/DATABASE、lancedb:DIR、json:DIR、sqlite:FILE',
  'Keep the library there from now on': '从现在起把资料库保存在那里',
  'to the server that STRATA_POSTGRES_URL names': '到 STRATA_POSTGRES_URL 所指的服务器',
  'to a folder of JSON files, and stay there': '到一个 JSON 文件夹，并留在那里',
  'Agree to what a library that was found asks for, or take it back':
    '同意一个找到的资料库所要求的，或收回同意',
  'A library that came with a repository, an archive or from another user is data: a store outside its folder, a service or model that embeds, another owner count only after you have agreed. `add` agrees to what this library asks for now (when that changes, you are asked again), `list` shows everything you have agreed to, `remove` takes back what you agreed to for this library. It is kept in your configuration folder, never in the library. What you name yourself by a flag needs no agreement.':
    '随代码仓库、压缩包或从别的用户那里来的资料库只是数据：文件夹之外的存储、生成向量的服务或模型、别的所有者，都要你同意之后才算数。`add` 同意这个资料库现在所要求的（有变化时会再次询问），`list` 列出你同意过的一切，`remove` 收回对这个资料库的同意。它保存在你的配置文件夹里，从不放在资料库里。你自己用选项指定的不需要同意。',
  'agree to what the library here asks for': '同意这里的资料库所要求的',
  'all that you have agreed to': '你同意过的一切',
  'take it back for the library here': '收回对这里的资料库的同意',
  // eval
  'Measure how well searches find what they should, on a set of questions with known answers':
    '用一组有已知答案的问题衡量检索质量',
  'Each folder is a set: corpus.jsonl, queries.jsonl and qrels/test.tsv or qrels.tsv (BEIR form: which documents are right), or docs.jsonl and queries.jsonl (answer-span form: a hit is a passage of the right document that holds a whole answer). Its documents go through the ordinary pipeline into a temporary library, then every question is asked in each mode. With --library DIR the library of each set is kept in DIR/<set>, so that a second run adds and embeds nothing.':
    '每个文件夹是一个测试集：corpus.jsonl、queries.jsonl 和 qrels/test.tsv 或 qrels.tsv（BEIR 形式：哪些文档是对的），或 docs.jsonl 和 queries.jsonl（答案片段形式：命中是正确文档里含有完整答案的段落）。文档经由平常的流程进入临时资料库，然后在每种模式下问每个问题。加 --library DIR 时每个测试集的资料库保存在 DIR/<测试集>，再次运行就不必添加和生成向量。',
  'Only this mode (repeat for several): hybrid, keyword, tfidf, vector':
    '只用这种模式（可重复）：hybrid、keyword、tfidf、vector',
  "Search inside each question's own document only (answer-span sets)":
    '只在每个问题自己的文档里检索（答案片段形式）',
  'Write one line of JSON a query and mode to this file': '把每个问题和模式的一行 JSON 写入此文件',
  'Take the questions (answer-span form) from this file': '从此文件取问题（答案片段形式）',
  'Take the documents from this file': '从此文件取文档',
  'Only documents whose id starts so; the questions may leave it out':
    '只要 id 以此开头的文档；问题里可以省去它',
  'make all vectors first; without, hybrid makes those it needs while it searches':
    '先生成全部向量；否则 hybrid 在检索时生成所需的',
  'give the documents their titles': '给文档加上标题',
  'Folders with sets': '含测试集的文件夹',
  'a set of your own, all modes': '你自己的测试集，全部模式',
  'several, by words, for programs': '多个，按词，供程序使用',
  // watch, mcp, serve, skill, completions
  'Keep the library in step with a folder, until Ctrl-C': '让资料库与文件夹保持一致，直到 Ctrl-C',
  'First brings the library up to date with the folder (new, changed and deleted files), then follows every change. One line per change.':
    '先按文件夹更新资料库（新的、变化的和删除的文件），然后跟踪每个变化。每个变化一行。',
  'Leave the vectors to a later `strata add` or a server': '把向量留给以后的 `strata add` 或服务器',
  'Tags for what is added': '给添加内容的标签',
  'The collection for what is added': '添加内容所放的集合',
  'A line of JSON a change': '每个变化一行 JSON',
  'Changes and errors only': '只输出变化和错误',
  'The folder to follow': '要跟踪的文件夹',
  'Serve the library to an AI agent over standard input and output (MCP)':
    '通过标准输入输出为 AI 智能体提供资料库（MCP）',
  'An MCP server for one client: search_knowledge, scout, inspect and more. It answers by words at once and by meaning when the model is ready.':
    '为一个客户端服务的 MCP 服务器：search_knowledge、scout、inspect 等。立即可按词回答，模型就绪后按含义回答。',
  'Folders that callers may add files from (else the folder that holds the library)':
    '调用者可从中添加文件的文件夹（否则为资料库所在的文件夹）',
  'The longest answer to an agent that names none (else STRATA_MAX_TOKENS, 5000)':
    '智能体没有指定时回答的最大长度（否则为 STRATA_MAX_TOKENS，5000）',
  'Offer no tools that change the library': '不提供会改动资料库的工具',
  "Write the server into a client's configuration": '把服务器写进客户端的配置',
  'project or user (the first the client has)': 'project 或 user（客户端有的第一个）',
  'The library the client shall use (else the one found from here)':
    '客户端要用的资料库（否则为从这里找到的）',
  'Show the configuration, write nothing': '只显示配置，不写入',
  'claude-code, claude-desktop, cursor, vscode, windsurf, codex, zed or gemini-cli':
    'claude-code、claude-desktop、cursor、vscode、windsurf、codex、zed 或 gemini-cli',
  "write the client's configuration": '写入客户端的配置',
  'only show it': '只显示',
  'for all projects of yours': '用于你的所有项目',
  'for any other client': '用于其他任何客户端',
  'what clients start': '客户端所启动的',
  'Serve the library over HTTP: agents at /mcp, programs at /api':
    '通过 HTTP 提供资料库：智能体用 /mcp，程序用 /api',
  'Reading only, and on this machine only, unless the options say otherwise.':
    '除非选项另有说明，只读，且只限本机。',
  'Listen here': '监听的地址',
  'On this port (0: any free one)': '端口（0：任意空闲端口）',
  'Ask for bearer tokens; a line each: TOKEN NAME read|write': '要求令牌；每行一个：TOKEN NAME read|write',
  'Let callers with the right to do so add and remove documents': '允许有权限的调用者添加和移除文档',
  'Answer to these host names besides loopback': '除本机外也应答这些主机名',
  'Let pages of these origins call': '允许这些来源的网页调用',
  'Requests a minute a caller': '每个调用者每分钟的请求数',
  'http://127.0.0.1:7700/mcp, reading only': 'http://127.0.0.1:7700/mcp，只读',
  'a line a token: TOKEN NAME read|write': '每行一个令牌：TOKEN NAME read|write',
  'Print an instruction file that teaches an agent to use strata': '打印一份教智能体使用 strata 的说明文件',
  'Print a completion script for bash, zsh or fish': '打印 bash、zsh 或 fish 的补全脚本',
  'bash, zsh or fish': 'bash、zsh 或 fish',
  '# Reference': '# 参考',
  'Made from the table of operations by `npm run docs`; do not edit.':
    '由 `npm run docs` 根据操作表生成；请勿手工修改。',
  '## Error codes': '## 错误代码',
  'Programs that use the library branch on `error.code`; messages may change, codes do not.':
    '使用本库的程序按 `error.code` 分支；消息可能改变，代码不会。',
  code: '代码',
  meaning: '含义',
  option: '选项',
  'in JSON': 'JSON 中',
  'Access: {1}. Answer (`--json`): {2}': '权限：{1}。回答（`--json`）：{2}',
  repeatable: '可重复',
  'on by default': '默认开启',
  '; ': '；',
  '; or ': '；或 ',
  'see the schema': '见模式',
  '## Exit codes': '## 退出码',
  '0: done. 1: something failed (a file, a request, the library); stderr says what and why. 2: the command was not understood. 130: interrupted; what was finished is kept.':
    '0：完成。1：有失败（某个文件、请求或资料库）；stderr 说明是什么、为什么。2：命令无法理解。130：已中断；已完成的会保留。',
  'an option or argument is wrong or out of range': '选项或参数有误或超出范围',
  'a record has an unknown, missing or wrong field': '记录有未知、缺少或错误的字段',
  'no document, chunk, citation target or library with that id or path':
    '没有该 id 或路径的文档、段落、引用目标或资料库',
  'the path does not exist': '路径不存在',
  'the path exists but cannot be read (permission, input/output error)':
    '路径存在但无法读取（权限、输入输出错误）',
  'the path is a directory, socket, FIFO or device': '路径是文件夹、套接字、FIFO 或设备',
  'the bytes are not text and no parser knows the format': '字节不是文本，也没有解析器认识该格式',
  'the format or feature is known but not supported': '格式或功能已知但不支持',
  'the document needs a password, or the one given is wrong': '文档需要密码，或所给密码不对',
  'the document is damaged beyond reading': '文档损坏到无法读取',
  'the document holds pictures of text only': '文档只含文字的图片',
  'a limit on time, memory, size, pages or nesting was reached': '达到时间、内存、大小、页数或嵌套的上限',
  'a web address could not be fetched': '网址无法获取',
  'another process is writing and did not finish in time': '另一个进程在写入，没有及时完成',
  'the library has a damaged part; `strata doctor` says which': '资料库有损坏的部分；`strata doctor` 会指出',
  'the library was written by a newer Strata, or is none': '资料库由更新的 Strata 写成，或不是资料库',
  'the store refused a write (disk full, read-only, permission)': '存储拒绝写入（磁盘满、只读、权限）',
  'no embedding model can be used here; search goes on by words': '这里没有可用的嵌入模型；继续按词检索',
  'the embedding model or service gave an error or a wrong answer': '嵌入模型或服务出错或回答有误',
  'a model file is missing or does not match its checksum': '模型文件缺失或校验和不符',
  'the caller may not do this': '调用者无权这样做',
  'the library asks for something that its user has not agreed to; `strata trust` does':
    '资料库要求了用户没有同意的事；`strata trust` 可同意',
  'the work was cancelled': '工作已取消',
  'a defect in Strata; please report it': 'Strata 的缺陷；请报告',
  'Make vectors for search by meaning before returning': '在返回之前生成按含义检索的向量',
  'Only documents of these file types: markdown, text, pdf, docx, html, …':
    '只要这些文件类型的文档：markdown、text、pdf、docx、html……',
  'Make all vectors first; without, hybrid makes those it needs while it searches':
    '先生成全部向量；否则 hybrid 在检索时生成所需的',
  'Give the documents their titles': '给文档加上标题',
  'a file': '一个文件',
  'The JSON file': 'JSON 文件',
  'JSON as a text, instead of a file': '以文本给出 JSON，代替文件',
  'Make the vectors that are missing': '生成缺少的向量',
  'Strings of at least so many characters (default 200)': '至少这么多字符的字符串（默认 200）',
  'Results where a caller names no number (default 5)': '调用者没有指定时的结果数（默认 5）',
  'Asks a search tool a question. Each result has its score and the whole passage: the JSON pointer of the string it stands in, its number among the passages of that string, and its text.':
    '向检索工具提问。每个结果都有得分和完整段落：所在字符串的 JSON 指针、在该字符串各段落中的序号，以及文本。',
  'Copies every document, section, passage and vector to another store, with the same ids, and compares all of it. Nothing is embedded again, and the library stays where it is until `switch`. A move that was interrupted goes on with the same command. Secrets come from the environment (STRATA_POSTGRES_URL). With --vectors the library stays where it is, and turbopuffer gets a copy of its vectors (no text) that searches ask (docs/guides/tools.md).':
    '把每个文档、章节、段落和向量以相同的 id 复制到另一个存储，并全部比较一遍。不会重新生成向量；在 `switch` 之前资料库留在原处。中断的迁移用同一命令继续。密钥来自环境变量（STRATA_POSTGRES_URL）。加 --vectors 时资料库留在原处，turbopuffer 得到一份供检索询问的向量副本（不含文本，见 docs/guides/tools.md）。',
  'Instead of a store: who is asked for the nearest passages, turbopuffer:NAMESPACE or embedded':
    '代替存储：由谁找最近的段落，turbopuffer:NAMESPACE 或 embedded',
  'let turbopuffer find the nearest passages': '让 turbopuffer 找最近的段落',
  'What reads the best passages again: local:FOLDER, https://…/rerank#MODEL, or none (else STRATA_RERANK, none)':
    '再次阅读最佳段落的重排模型：local:文件夹、https://…/rerank#模型，或 none（否则依 STRATA_RERANK，默认不用）',
  'The model for search by meaning: local, local:FOLDER, openai:MODEL, ollama:MODEL, or none':
    '按含义检索所用的模型：local、local:FOLDER、openai:MODEL、ollama:MODEL 或 none',
  'Leave the vectors for later (`strata embed`)': '把向量留到以后（`strata embed`）',
  'Make no vectors first: hybrid makes those it needs while it searches':
    '不先生成向量：hybrid 在检索时生成所需的',
  'Add the documents without their titles': '添加文档时不带标题',
  '{1} (one of {2}; default {3})': '{1}（{2} 之一；默认 {3}）',
  'It was:': '原来是：',
  'It is now:': '现在是：',
};
