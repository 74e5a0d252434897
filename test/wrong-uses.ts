/** Wrong uses of the command line, of every command: what is written, and what the answer must hold. */

export interface WrongUse {
  /** As on the command line; `AMBIGUOUS` stands for the beginning of several ids. */
  readonly args: readonly string[];
  /** 2: the command line is not understood; 1: it is, and what it asks for failed. */
  readonly exit: 1 | 2;
  /** The thing that is wrong, in every language. */
  readonly names: RegExp;
  /** What to do next, in English. */
  readonly next: RegExp;
  /** `none`: where no library is, and none may be left behind; `open`: one without users. Else the prepared one. */
  readonly library?: 'none' | 'open';
  /** The folder it runs in, below the prepared one; the library is then looked for from there. */
  readonly cwd?: string;
  /** A command that did its work for the other arguments prints how it went. */
  readonly answers?: true;
}

const wrong = (
  line: string | readonly string[],
  exit: 1 | 2,
  names: RegExp,
  next: RegExp,
  more: Pick<WrongUse, 'library' | 'cwd' | 'answers'> = {},
): WrongUse => ({ args: typeof line === 'string' ? line.split(' ') : line, exit, names, next, ...more });

const HELP = /--help shows what there is/;
const NUMBER = /write one, such as/;
const CHOICES = /Allowed choices are/;
const NO_LIBRARY = /`strata add FOLDER` makes one, --library names another/;
const LIST = /`strata list` shows what there is/;
const NO_FILE = /no such file or folder/;
const none = { library: 'none' } as const;

const SEARCHING: readonly WrongUse[] = [
  wrong('serch x', 2, /serch/, /Did you mean search/),
  wrong('frobnicate', 2, /frobnicate/, HELP),
  wrong('delete docs', 2, /delete/, /Did you mean remove/),
  wrong('ask something', 2, /ask/, /Did you mean search/),
  wrong('search', 2, /query/, HELP),
  wrong(['search', ''], 2, /query|查询/, /give some words/),
  wrong('search x --limt 3', 2, /--limt/, /Did you mean --limit/),
  wrong('search x --limit many', 2, /--limit.*many/, NUMBER),
  wrong('search x --limit -1', 2, /--limit.*-1/, /at least 0/),
  wrong('search x --limit 2.5', 2, /--limit.*2\.5/, /whole number/),
  wrong('search x --min-score 200', 2, /--min-score.*200/, /from 0 to 100/),
  wrong('search x --mode magic', 2, /--mode.*magic/, CHOICES),
  wrong('search x --context all', 2, /--context.*all/, CHOICES),
  wrong('search x --type poem', 2, /--type.*poem/, /text, code, table/),
  wrong('search x --after yesterday', 2, /--after.*yesterday/, /write it as 2026/),
  wrong('search x --before 2026-13-45', 2, /--before.*2026-13-45/, /write it as 2026/),
  wrong('search x --format xml', 2, /--format.*xml/, CHOICES),
  wrong('search x --as nobody', 1, /nobody/, /`strata user list`/),
  wrong('search x', 1, /none-\d/, NO_LIBRARY, none),
  wrong('search x --library docs/guide.md', 2, /guide\.md/, /name a folder with --library/),
  wrong('search x --store mongo:x', 2, /mongo/, /known are sqlite, json/),
  wrong('search x --embedder magic:x', 2, /magic:x/, /use local, openai, ollama or none/),
  wrong('search x --mode vector', 1, /--embedder none/, /switched off/),
  wrong('scout', 2, /query/, HELP),
  wrong('scout x --max-tokens 0', 2, /--max-tokens.*0/, /at least 1/),
  wrong('inspect #ffffffff', 1, /#ffffffff/, LIST),
  wrong('inspect AMBIGUOUS', 2, /#[0-9a-f]{4}/, /write more of it/),
  wrong('inspect guide.md:9999', 1, /guide\.md:9999/, /`strata show docs\/guide\.md` shows/),
  wrong('verify strata:broken', 1, /strata:broken/, LIST),
  wrong('verify', 2, /citation/, HELP),
  wrong('list extra', 2, /list/, HELP),
  wrong('list --limit x', 2, /--limit.*x/, NUMBER),
  wrong('show none.md', 1, /none\.md/, LIST),
  wrong('status', 1, /none-\d/, NO_LIBRARY, none),
];

const KEEPING: readonly WrongUse[] = [
  wrong('add', 2, /path/, HELP, none),
  wrong(['add', ''], 2, /path|路径/, /name files or folders/, none),
  wrong('add none.md', 1, /none\.md/, NO_FILE, { library: 'none', answers: true }),
  wrong('add docs --strategy magic', 2, /--strategy.*magic/, CHOICES, none),
  wrong('add docs --max 99999999999999', 2, /--max.*99999999999999/, /at most 1000000/, none),
  wrong('add docs --max -5', 2, /--max.*-5/, /at least 50/, none),
  wrong('add docs --min 1000 --max 100', 2, /min.*1000/, /at most max/, none),
  wrong('add docs --overlap 3', 2, /--overlap.*3/, /at most 0\.5/, none),
  wrong('add docs --workers 100000', 2, /--workers.*100000/, /at most 64/, none),
  wrong('add docs --store mongo:x', 2, /mongo/, /known are sqlite/, none),
  wrong('add docs --embedder magic:x', 2, /magic:x/, /use local/, none),
  wrong('add docs', 2, /strata\.config\.json/, /correct or remove it/, { cwd: 'bad-config' }),
  wrong('add docs', 2, /strata\.config\.json.*colour/, /known are store/, { cwd: 'odd-config' }),
  wrong('remove none.md', 1, /none\.md/, LIST),
  wrong('remove docs', 1, /none-\d/, NO_LIBRARY, none),
  wrong('embed --embedder local:/nowhere', 1, /\/nowhere/, /give a folder with model\.onnx/),
  wrong('models frob', 2, /frob/, /list, pull, path, remove/),
  wrong('models remove unknown', 1, /unknown/, /known are bge-small/),
  wrong('models pull --from nowhere', 1, /nowhere/, /name the folder or tarball/),
  wrong('parse none.md', 1, /none\.md/, NO_FILE),
  wrong('parse docs', 1, /docs/, /is a directory, not a file/),
  wrong('rebuild --strategy magic', 2, /--strategy.*magic/, CHOICES),
  wrong('doctor', 1, /none-\d/, NO_LIBRARY, none),
  wrong('doctor --frob', 2, /--frob/, HELP),
  wrong('backup full', 2, /full/, /name a new folder/),
  wrong('backup copy', 1, /none-\d/, NO_LIBRARY, none),
  wrong('restore empty', 1, /empty/, /name a folder that `strata backup` made/, none),
  wrong('move', 2, /to/, /name the store to move to/),
  wrong('move --to mongo:x', 2, /mongo/, /known are sqlite/),
  wrong('move --to sqlite:.strata/library.db', 2, /library\.db/, /name another store/),
  wrong('move --vectors magic', 2, /vectors.*magic/, /embedded nor turbopuffer:NAMESPACE/),
  wrong('trust frob', 2, /frob/, /add, list, remove/),
  wrong('trust', 1, /none-\d/, /name one with --library/, none),
  wrong('eval empty', 1, /empty/, /A set has corpus\.jsonl/),
  wrong('eval docs --mode magic', 2, /--mode.*magic/, /hybrid, keyword, tfidf, vector/),
];

const TOOLS: readonly WrongUse[] = [
  wrong('table frob', 2, /frob/, HELP),
  wrong('table put t', 2, /file.*content/, /name a file, or give the JSON/),
  wrong('table put t none.json', 1, /none\.json/, NO_FILE, none),
  wrong('table put t bad.json', 1, /bad\.json/, /correct it/),
  wrong(['table', 'put', 't', '--content', '{x'], 1, /content/, /correct it.*line 1, column 2/),
  wrong('table put ../t faq.json', 2, /\.\.\/t/, /an id is letters/),
  wrong('table put t docs', 1, /docs/, /not a file/),
  wrong('table get none', 1, /none/, /`strata table list`/),
  wrong('table get faq /nope', 1, /faq.*\/nope/, /`strata table get` without a pointer/),
  wrong('table get faq nope', 2, /faq.*nope/, /start with "\/"/),
  wrong('table patch faq --content [{"op":"frob","path":"/a"}]', 2, /frob/, /add, remove, replace/),
  wrong('table remove faq', 2, /faq-search/, /`strata tool remove`/),
  wrong('tool create t2', 2, /--table/, /missing/),
  wrong('tool create t2 --table none', 1, /none/, /`strata table list`/),
  wrong(['tool', 'create', 'bad name', '--table', 'faq'], 2, /bad name/, /a name is letters/),
  wrong('tool create t2 --table faq --path $[', 2, /\$\[/, /expected a quoted name/),
  wrong('tool create t2 --table faq --threshold x', 2, /--threshold.*x/, NUMBER),
  wrong('tool call none x', 1, /none/, /`strata tool list`/),
  wrong('tool remove none', 1, /none/, /`strata tool list`/),
  wrong('endpoint create desk', 2, /desk/, /`strata endpoint bind desk TOOL`/),
  wrong(['endpoint', 'create', 'Bad Name'], 2, /name/, /is a to z, digits/),
  wrong('endpoint bind none faq-search', 1, /none/, /`strata endpoint list`/),
  wrong('endpoint unbind desk none', 1, /none.*desk/, /`strata endpoint list`/),
];

const SERVING: readonly WrongUse[] = [
  wrong('user add ann', 2, /ann/, /`strata user set ann/),
  wrong('user add bob --role king', 2, /--role.*king/, CHOICES),
  wrong('user remove none', 1, /none/, /`strata user list`/),
  wrong('key create none', 1, /none/, /`strata user list`/),
  wrong('key create ann --expires someday', 2, /expires.*someday/, /write 12h, 30d/),
  wrong('key create ann --expires 2001-01-01', 2, /expires.*2001-01-01/, /name a later day/),
  wrong('key revoke none', 1, /key/, /`strata key list`/),
  wrong('grant add ann none', 2, /resource.*none/, /write table:NAME/),
  wrong('grant add none tool:faq-search', 1, /none/, /`strata user list`/),
  wrong('grant remove ann tool:faq-search', 1, /ann.*tool:faq-search/, /`strata grant list`/),
  wrong('audit --since someday', 2, /since.*someday/, /write a date or a moment/),
  wrong('watch nowhere', 2, /nowhere/, /name one that is there/, none),
  wrong('open --port 99999', 2, /--port.*99999/, /name one from 0 to 65535/, none),
  wrong('mcp install emacs', 2, /emacs/, /give one of claude-code/, none),
  wrong('mcp --max-tokens x', 2, /--max-tokens.*x/, NUMBER, none),
  wrong('serve --port x', 2, /--port.*x/, NUMBER, none),
  wrong('serve --port 99999', 2, /--port.*99999/, /name one from 0 to 65535/, none),
  wrong('serve --rate x', 2, /--rate.*x/, NUMBER, none),
  wrong('serve --allow-write --port 0', 1, /--allow-write/, /`strata key create NAME`/, { library: 'open' }),
  wrong('serve --token-file nowhere --port 0', 1, /nowhere/, /a line a token/, none),
  wrong('serve --host 999.1.1.1 --port 0', 2, /999\.1\.1\.1/, /with --host/),
  wrong('skill extra', 2, /skill/, HELP, none),
  wrong('completions tcsh', 2, /tcsh/, /bash, zsh, fish/, none),
];

export const WRONG_USES: readonly WrongUse[] = [...SEARCHING, ...KEEPING, ...TOOLS, ...SERVING];
