"""Word F1 of Strata's text of web pages against the text of Readability's expected.html.

    ls DIR/*/source.html | node dump.js | python3 html_words.py

Words are runs of letters and digits, and single Chinese or Japanese characters; the text of expected.html is read
with Python's own HTML parser, block elements parting words. Also: no text of a <script> or <style> may appear, and the
words of links inside the expected text must.
"""
import collections, html.parser, json, os, re, sys

BLOCK = set('p div li ul ol table tr td th h1 h2 h3 h4 h5 h6 pre blockquote section article figure figcaption br hr dl dt dd header footer main aside caption tbody thead body html address details summary form fieldset nav center'.split())
HIDDEN = set('script style template noscript svg iframe head object audio video canvas select textarea'.split())
WORD = re.compile(r'[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W_]+', re.U)

class Text(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.parts, self.links, self.scripts, self.hidden, self.link = [], [], [], [], 0
    def handle_starttag(self, tag, attrs):
        if tag in HIDDEN: self.hidden.append(tag)
        if tag == 'a': self.link += 1
        if tag in BLOCK: self.parts.append('\n')
    def handle_endtag(self, tag):
        if tag in self.hidden:
            while self.hidden.pop() != tag: pass
        if tag == 'a': self.link = max(0, self.link - 1)
        if tag in BLOCK: self.parts.append('\n')
    def handle_data(self, data):
        if self.hidden:
            if self.hidden[-1] in ('script', 'style'): self.scripts.append(data)
            return
        self.parts.append(data)
        if self.link: self.links.append(data)

def read(text):
    reader = Text(); reader.feed(text); reader.close(); return reader

words = lambda text: collections.Counter(WORD.findall(text))
rows, leaks, link_total, link_found = [], [], 0, 0
for line in sys.stdin:
    tree = json.loads(line)
    folder = os.path.dirname(tree['file'])
    want = read(open(folder + '/expected.html', encoding='utf-8').read())
    got = words(tree.get('text', ''))
    expected = words(''.join(want.parts))
    common = sum((got & expected).values())
    p, r = common / max(1, sum(got.values())), common / max(1, sum(expected.values()))
    f1 = 2 * p * r / (p + r) if p + r else float(not got and not expected)
    rows.append((f1, p, r, os.path.basename(folder), tree['ms'], tree.get('error', '')))
    linked = words(' '.join(want.links)); link_total += sum(linked.values()); link_found += sum((linked & got).values())
    source = read(open(folder + '/source.html', encoding='utf-8', errors='replace').read())
    for script in source.scripts:
        for piece in re.findall(r'\S[^\n]{30,80}', script)[:20]:
            # Prose in a script (JSON-LD carries the article's own text) is no leak.
            if re.search(r'[{};=]|function', piece) and piece in tree.get('text', '') and piece not in ' '.join(''.join(want.parts).split()): leaks.append((os.path.basename(folder), piece)); break
rows.sort()
for row in rows[:15]: print('%.3f  precision %.3f recall %.3f  %s  %d ms %s' % row)
print('pages', len(rows), 'mean F1 %.4f' % (sum(r[0] for r in rows) / len(rows)), 'below 0.9:', sum(r[0] < .9 for r in rows), 'ms/page %.0f' % (sum(r[4] for r in rows) / len(rows)))
print('words of links kept %d of %d; script or style text in %d pages %s' % (link_found, link_total, len(leaks), leaks[:3]))
