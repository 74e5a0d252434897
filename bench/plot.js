// Growth as a plot: lines over a logarithmic scale on both axes, as plain SVG that any page shows.
const WIDTH = 640;
const HEIGHT = 360;
const LEFT = 64;
const RIGHT = 130;
const TOP = 40;
const BOTTOM = 44;
const COLOURS = ['#0b6bcb', '#c8511b', '#2e8540', '#7a3ea3', '#8a6d00', '#5b5f66'];

const escaped = (text) =>
  String(text).replace(/[&<>]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[one]);
const powers = (low, high) => {
  const all = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    all.push(10 ** power);
  return all;
};
const short = (value) =>
  value >= 1e6 ? `${value / 1e6} M` : value >= 1e3 ? `${value / 1e3},000` : String(+value.toPrecision(2));

/** `lines`: [{ name, points: [[x, y], …] }]; points without a number are left out. */
export function plot({ title, unit, lines }) {
  const drawn = lines
    .map(({ name, points }) => ({ name, points: points.filter(([, y]) => y > 0) }))
    .filter(({ points }) => points.length > 0);
  const xs = drawn.flatMap(({ points }) => points.map(([x]) => x));
  const ys = drawn.flatMap(({ points }) => points.map(([, y]) => y));
  if (xs.length === 0) return null;
  const [rows, columns] = [
    powers(Math.min(...ys), Math.max(...ys)),
    powers(Math.min(...xs), Math.max(...xs)),
  ];
  const place = (value, [low, high], from, to) =>
    from +
    ((Math.log10(value) - Math.log10(low)) / Math.max(1e-9, Math.log10(high) - Math.log10(low))) *
      (to - from);
  const x = (value) => place(value, [columns[0], columns.at(-1)], LEFT, WIDTH - RIGHT).toFixed(1);
  const y = (value) => place(value, [rows[0], rows.at(-1)], HEIGHT - BOTTOM, TOP).toFixed(1);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${LEFT}" y="22" font-size="14" fill="#1b1f24">${escaped(title)}</text>`,
  ];
  for (const row of rows)
    parts.push(
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(row)}" y2="${y(row)}" stroke="#d9dce1"/>`,
      `<text x="${LEFT - 8}" y="${+y(row) + 4}" text-anchor="end" fill="#5b5f66">${short(row)} ${escaped(unit)}</text>`,
    );
  for (const column of columns)
    parts.push(
      `<text x="${x(column)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle" fill="#5b5f66">${short(column)}</text>`,
    );
  parts.push(
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle" fill="#5b5f66">chunks</text>`,
  );
  // Names stand beside the last point of their line, and apart from each other.
  let before = -Infinity;
  const ends = drawn
    .map((line, at) => ({ ...line, colour: COLOURS[at % COLOURS.length], end: +y(line.points.at(-1)[1]) }))
    .sort((a, b) => a.end - b.end);
  for (const { name, points, colour, end } of ends) {
    const path = points.map(([px, py]) => `${x(px)},${y(py)}`).join(' ');
    before = Math.max(end, before + 15);
    parts.push(
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...points.map(([px, py]) => `<circle cx="${x(px)}" cy="${y(py)}" r="3" fill="${colour}"/>`),
      `<text x="${+x(points.at(-1)[0]) + 8}" y="${before + 4}" fill="${colour}">${escaped(name)}</text>`,
    );
  }
  return `${parts.join('\n')}\n</svg>\n`;
}
