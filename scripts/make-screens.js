// Records the README's tour in a real terminal (tmux) at 80 and 120 columns, in both languages, as text and as pictures:
//   npm run build && node scripts/make-screens.js [OUT]      (OUT: docs/images)
// A screen that scrolls away is reported, and ends the script with 1.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('..', import.meta.url));
const out = resolve(process.argv[2] ?? join(here, 'docs/images'));
const ROWS = 42;
/** The columns of which there are pictures; the others are for reading through. */
const PICTURED = 80;

/** Characters of two columns, as far as the tour has any. */
const WIDE = /([\u2e80-\u9fff\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]+)/;

const TOURS = {
  en: [
    ['add', 'strata add docs'],
    ['search', 'strata search "what happens when a file is renamed?"'],
    ['scout', 'strata scout "token budget" --max-tokens 300'],
    ['verify', 'strata verify docs/everyday.md:13'],
    ['changed', 'strata verify docs/stores.md:8'],
    ['list', 'strata list'],
    ['show', 'strata show docs/everyday.md'],
    ['status', 'strata status'],
    ['wrong', 'strata serch renamed; strata add nowhere.pdf; strata search cats --mode fast'],
  ],
  zh: [
    ['add', 'strata add docs'],
    ['search', 'strata search 文件改名以后会怎样？'],
    ['scout', 'strata scout 上下文有限 --max-tokens 300'],
    ['verify', 'strata verify docs/everyday.zh.md:13'],
    ['changed', 'strata verify docs/stores.zh.md:8'],
    ['list', 'strata list'],
    ['show', 'strata show docs/everyday.zh.md'],
    ['status', 'strata status'],
    ['wrong', 'strata serch 改名; strata add 没有.pdf; strata search 猫 --mode fast'],
  ],
};

const folder = mkdtempSync(join(tmpdir(), 'strata-screens-'));
const bin = join(folder, 'bin');
mkdirSync(bin);
writeFileSync(
  join(bin, 'strata'),
  `#!/bin/sh\nexec ${process.execPath} ${join(here, 'dist/serve/main.js')} "$@"\n`,
  { mode: 0o755 },
);
mkdirSync(out, { recursive: true });

let faults = 0;
let sockets = 0;
try {
  for (const language of ['en', 'zh']) for (const columns of [80, 120]) record(language, columns);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = faults > 0 ? 1 : 0;

function record(language, columns) {
  const home = join(folder, `${language}-${columns}`);
  cpSync(join(here, 'docs/guides'), join(home, 'docs'), { recursive: true });
  const screens = TOURS[language].map(([name, command]) => {
    // What was cited is changed before it is asked about.
    if (name === 'changed')
      execFileSync('sed', ['-i', 's/SQLite/MySQL/g', ...command.match(/docs\/[\w.]+md/g)], { cwd: home });
    const { text, styled, scrolled } = screen(command, language, columns, home);
    if (scrolled > 0) {
      faults++;
      console.log(`${language} ${columns}: ${scrolled} lines of "${command}" scrolled away`);
    }
    if (columns === PICTURED && (name === 'search' || name === 'changed'))
      writeFileSync(join(out, `tour-${name}-${language}.svg`), picture(styled, columns, command));
    return text;
  });
  writeFileSync(join(out, `tour-${language}-${columns}.txt`), `${screens.join('\n\n')}\n`);
}

/** One command on a screen of its own, as it stands there when the command is done. */
function screen(command, language, columns, cwd) {
  // A server of its own each: one that is ending would take the next session with it.
  const socket = `strata-${process.pid}-${++sockets}`;
  const tmux = (...args) =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], {
      cwd,
      env,
      encoding: 'utf8',
    });
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: process.env.HOME,
    LANG: language === 'zh' ? 'zh_CN.UTF-8' : 'C.UTF-8',
    LC_CTYPE: 'C.UTF-8',
    STRATA_LIBRARY: join(cwd, '.strata'),
    STRATA_PAGER: 'cat',
  };
  const shown = `printf '%s\\n' '$ ${command.replaceAll("'", "'\\''")}'; ${command}; tmux -L ${socket} wait-for -S done; sleep 600`;
  tmux('-u', 'new-session', '-d', '-s', 'tour', '-x', String(columns), '-y', String(ROWS), 'sh', '-c', shown);
  tmux('wait-for', 'done');
  const text = tmux('capture-pane', '-p', '-t', 'tour').trimEnd();
  const styled = tmux('capture-pane', '-p', '-e', '-t', 'tour').trimEnd();
  const scrolled = Number(tmux('display-message', '-p', '-t', 'tour', '#{history_size}'));
  tmux('kill-server');
  const clean = (screen) => screen.replaceAll(`${cwd}/`, '~/notes/');
  return { text: clean(text), styled: clean(styled), scrolled };
}

/** The screen as an SVG: one text per run of one style, each where its column is. */
function picture(styled, columns, title) {
  const [WIDTH, HEIGHT, MARGIN] = [8.4, 18, 16];
  const COLOURS = {
    31: '#f07178',
    32: '#7fd88f',
    33: '#e6c07b',
    34: '#82aaff',
    35: '#c792ea',
    36: '#6cc7d9',
  };
  const markup = (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const lines = styled.split('\n');
  const runs = lines.flatMap((line, row) => {
    let [colour, bold, dim, underline, column] = [null, false, false, false, 0];
    return line.split(/(\u001b\[[\d;]*m|\u001b\]8;[^\u001b]*\u001b\\)/).flatMap((part) => {
      const style = /^\u001b\[([\d;]*)m$/.exec(part);
      if (style) {
        for (const code of (style[1] || '0').split(';').map(Number)) {
          if (code === 0) [colour, bold, dim, underline] = [null, false, false, false];
          else if (code === 1) bold = true;
          else if (code === 2) dim = true;
          else if (code === 4) underline = true;
          else if (code === 22) [bold, dim] = [false, false];
          else if (code === 24) underline = false;
          else if (code === 39) colour = null;
          else colour = COLOURS[code] ?? colour;
        }
        return [];
      }
      if (part === '' || part.startsWith('\u001b')) return [];
      const looks = `fill="${colour ?? '#d6deeb'}"${bold ? ' font-weight="bold"' : ''}${dim ? ' opacity=".65"' : ''}${underline ? ' text-decoration="underline"' : ''}`;
      // Chinese and Latin have fonts of different widths: each piece stands at its own column.
      return part.split(WIDE).flatMap((piece) => {
        const width = piece.length * (WIDE.test(piece) ? 2 : 1);
        const at = `x="${(MARGIN + column * WIDTH).toFixed(1)}" y="${MARGIN + 13 + row * HEIGHT}"`;
        column += width;
        if (piece.trim() === '') return [];
        const length = `textLength="${(width * WIDTH).toFixed(1)}"`;
        return [`<text ${at} ${length} ${looks}>${markup(piece)}</text>`];
      });
    });
  });
  const [width, height] = [columns * WIDTH + 2 * MARGIN, lines.length * HEIGHT + 2 * MARGIN];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${markup(title)}">
<title>${markup(title)}</title>
<rect width="100%" height="100%" rx="8" fill="#1b2330"/>
<g font-family="ui-monospace, Menlo, Consolas, 'Noto Sans Mono CJK SC', monospace" font-size="14" xml:space="preserve">
${runs.join('\n')}
</g>
</svg>
`;
}
