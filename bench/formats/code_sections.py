"""Top-level functions and classes by independent parsers against Strata's sections and their line ranges.

    node dump.js FILE… > trees.jsonl; node code_oracle.js TS-AND-JS-FILES… > script.jsonl
    python3 code_sections.py trees.jsonl script.jsonl

Python files are read with Python's ast, TypeScript and JavaScript with TypeScript's parser, the rest with universal-ctags
(its `end` field). A section is right if it has the name, ends on the same line, and starts on the declaration's first
line or above it with nothing but comments, decorators and attributes between.
"""
import ast, collections, json, os, re, subprocess, sys

KINDS = {
    'Go': {'func', 'struct', 'interface'}, 'Rust': {'function', 'struct', 'enum', 'interface'},
    'Java': {'class', 'interface', 'enum'}, 'C': {'function', 'struct', 'enum'},
    'C++': {'function', 'class', 'struct', 'enum', 'namespace'}, 'C#': {'class', 'interface', 'struct', 'enum'},
    'Ruby': {'class', 'module', 'method'}, 'PHP': {'class', 'interface', 'trait', 'function'}, 'Sh': {'function'},
}
SCRIPT = ('.ts', '.tsx', '.js', '.mjs', '.cjs', '.mts', '.cts', '.jsx')

def by_python(path):
    try: tree = ast.parse(open(path, encoding='utf-8').read())
    except (SyntaxError, UnicodeDecodeError): return None  # a newer Python, or a test of broken code
    return [(node.name, min([node.lineno] + [d.lineno for d in node.decorator_list]), node.end_lineno)
            for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]

def by_ctags(path):
    out = subprocess.run(['ctags', '--output-format=json', '--fields=+neKlS', '-f', '-', path], capture_output=True, text=True).stdout
    for row in map(json.loads, out.splitlines()):
        if row.get('kind') not in KINDS.get(row.get('language'), ()) : continue
        if 'scope' in row and row.get('scopeKind') not in ('package', 'namespace'): continue
        if row['name'].startswith('__anon'): continue
        yield row['name'], row['line'], row.get('end')  # no end for Rust, PHP and sh

CODE = re.compile(r'[;{}]\s*$')  # what ends a line of code, and no line of a comment, attribute or template head
script = {row['file']: row['declarations'] for row in map(json.loads, open(sys.argv[2]))} if len(sys.argv) > 2 else {}
totals = collections.defaultdict(lambda: [0, 0, 0])
for line in open(sys.argv[1]):
    tree = json.loads(line)
    path, ext = tree['file'], os.path.splitext(tree['file'])[1]
    if 'code' in tree: print('FAILED', path, tree['error']); continue
    if ext in SCRIPT: wanted = [(d['name'], d['from'], d['to']) for d in script.get(path, [])]
    elif ext in ('.py', '.pyi'): wanted = by_python(path)
    else: wanted = list(by_ctags(path))
    if wanted is None: continue
    text = tree['text']; lines = text.split('\n')
    row_of = lambda at: text.count('\n', 0, at) + 1
    sections = [(s['title'], row_of(s['span']['start']), row_of(max(s['span']['start'], s['span']['end'] - 1))) for s in tree['sections']]
    total = totals[ext]; total[0] += 1; total[1] += len(wanted)
    for name, first, last in wanted:
        short = lambda title: re.split(r'::|\.', re.sub(r'<.*>$', '', title))[-1].strip('*& ').replace(' ', '')
        def right(section):
            title, start, end = section
            names = short(title) == short(name) or name in re.split(r'::|\s|<', title)
            return names and start <= first <= end and (last is None or end == last) and not any(CODE.search(l) and not re.match(r'\s*(//|\*|/\*|#)', l) for l in lines[start - 1:first - 1])
        if any(right(s) for s in sections): total[2] += 1
        else: print('MISSED', path.rsplit('/', 1)[-1], name, first, last, [s for s in sections if short(s[0]) == short(name)][:2])
for ext, (files, want, got) in sorted(totals.items()): print(f'{ext}: {files} files, {got} of {want}')
print('all: %d files, %d of %d (%.2f %%)' % (*[sum(t[i] for t in totals.values()) for i in (0, 2, 1)], 100 * sum(t[2] for t in totals.values()) / max(1, sum(t[1] for t in totals.values()))))
