"""Headings and table cells of DOCX files, read with Python's zip and XML libraries, against Strata's trees.

    find DIR -name '*.doc?' | node dump.js | python3 docx_headings.py

A heading is a paragraph with an outline level of its own, else a style named `heading N` / `标题 N`, else a style with
an outline level, else the same asked of the style it is based on. Deleted paragraphs and the first branch of
mc:AlternateContent (a text box is stored twice) do not count.
"""
import json, re, sys, zipfile
from xml.etree import ElementTree as ET

def local(tag):
    return tag.rsplit('}', 1)[-1] if isinstance(tag, str) else ''

def attr(node, name):
    return next((v for k, v in node.attrib.items() if local(k) == name), None)

def child(node, name):
    return next((c for c in node if local(c.tag) == name), None) if node is not None else None

NAME = re.compile(r'^(heading|标题|標題)\s*([1-9])$', re.I)

def read_styles(root):
    styles, default = {}, None
    for s in root.iter():
        if local(s.tag) != 'style' or (attr(s, 'type') or 'paragraph') != 'paragraph':
            continue
        sid = attr(s, 'styleId')
        name = child(s, 'name'); based = child(s, 'basedOn'); out = child(child(s, 'pPr'), 'outlineLvl')
        styles.setdefault(sid, (attr(name, 'val') or '' if name is not None else '',
                                attr(based, 'val') if based is not None else None,
                                attr(out, 'val') if out is not None else None))
        if attr(s, 'default') in ('1', 'true', 'on') and default is None:
            default = sid
    return styles, default

def style_level(styles, sid):
    if sid is not None and sid not in styles:
        m = NAME.match(sid)
        return int(m.group(2)) if m else None
    seen = set()
    while sid in styles and sid not in seen:
        seen.add(sid)
        name, based, out = styles[sid]
        m = NAME.match(name.strip())
        if m: return int(m.group(2))
        if out is not None and re.fullmatch('[0-9]', out): return int(out) + 1 if int(out) < 9 else None
        sid = based
    return None

def text_of(p):
    parts = []
    def walk(n):
        for c in n:
            t = local(c.tag)
            if t in ('p', 'tbl', 'Choice', 'rt', 'del', 'moveFrom', 'pPr', 'rPr'): continue
            if t == 't': parts.append(c.text or '')
            elif t in ('tab', 'br', 'cr'): parts.append(' ')
            elif t == 'noBreakHyphen': parts.append('\u2011')
            walk(c)
    walk(p)
    return ' '.join(''.join(parts).split())

def expected(path):
    z = zipfile.ZipFile(path)
    names = z.namelist()
    main = 'word/document.xml'
    for r in ET.fromstring(z.read('_rels/.rels')) if '_rels/.rels' in names else []:
        if (attr(r, 'Type') or '').endswith('/officeDocument'): main = attr(r, 'Target').lstrip('/')
    folder = main.rsplit('/', 1)[0] + '/' if '/' in main else ''
    style_part = folder + 'styles.xml'
    rels = folder + '_rels/' + main.rsplit('/', 1)[-1] + '.rels'
    if rels in names:
        for r in ET.fromstring(z.read(rels)):
            if (attr(r, 'Type') or '').endswith('/styles'):
                target = attr(r, 'Target'); style_part = target.lstrip('/') if target.startswith('/') else folder + target
    styles, default = read_styles(ET.fromstring(z.read(style_part))) if style_part in names else ({}, None)
    heads, cells = [], []
    def walk(n):
        for c in n:
            t = local(c.tag)
            if t in ('Choice', 'rt', 'moveFrom'): continue
            if t == 'p':
                pPr = child(c, 'pPr')
                if child(child(pPr, 'rPr'), 'del') is not None: continue
                own = child(pPr, 'outlineLvl')
                sid = attr(child(pPr, 'pStyle'), 'val') if child(pPr, 'pStyle') is not None else default
                if own is not None and re.fullmatch('[0-9]', attr(own, 'val') or ''):
                    level = int(attr(own, 'val')) + 1 if int(attr(own, 'val')) < 9 else None
                else:
                    level = style_level(styles, sid)
                text = text_of(c)
                if level and text: heads.append((min(level, 6), text))
            if t == 'tc':
                text = ' '.join(filter(None, (text_of(p) for p in c.iter() if local(p.tag) == 'p')))
                if text: cells.append(text)
            walk(c)
    walk(ET.fromstring(z.read(main)))
    return heads, cells

def in_order(want, got):
    """How many of `want` are in `got`, in order (longest common subsequence)."""
    row = [0] * (len(got) + 1)
    for w in want:
        prev = 0
        for j, g in enumerate(got):
            prev, row[j + 1] = row[j + 1], prev + 1 if w == g else max(row[j + 1], row[j])
    return row[-1]

squash = lambda s: re.sub(r'[\W_]+', '', s)
total = found = extra = cell_total = cell_found = files = 0
codes, slow = {}, []
for line in sys.stdin:
    tree = json.loads(line)
    slow.append((tree['ms'], tree['file']))
    try:
        heads, cells = expected(tree['file'])
    except Exception as error:
        codes.setdefault(tree.get('code', 'READ'), []).append(tree['file'].rsplit('/', 1)[-1] + f' ({type(error).__name__})')
        continue
    if 'code' in tree:
        print('FAILED', tree['file'], tree['code'], tree['error'])
        total += len(heads); continue
    files += 1
    got = [(s['level'], ' '.join(s['title'].split())) for s in tree['sections']]
    hit = in_order(heads, got)
    total += len(heads); found += hit; extra += len(got) - hit
    if hit != len(heads) or len(got) != hit:
        print('HEADINGS', tree['file'].rsplit('/', 1)[-1], f'{hit} of {len(heads)}, {len(got)} given')
        for h in heads:
            if h not in got: print('   missing', h)
        for g in got:
            if g not in heads: print('   extra', g)
    text = squash(tree['text'])
    missing = [c for c in cells if squash(c) not in text]
    cell_total += len(cells); cell_found += len(cells) - len(missing)
    if missing: print('CELLS', tree['file'].rsplit('/', 1)[-1], len(missing), 'of', len(cells), 'missing:', missing[:3])
print(f'{files} files read; headings {found}/{total} found in order, {extra} extra; table cells {cell_found}/{cell_total}')
for code, names in sorted(codes.items()): print(code, len(names), names)
print('slowest', sorted(slow)[-3:])
