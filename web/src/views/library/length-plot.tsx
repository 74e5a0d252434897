import type { Overview } from '../../api-records.js';
import { useT } from '../../i18n/i18n.js';

const [WIDTH, HEIGHT, FOOT] = [240, 90, 16];

/** How the passages' lengths are spread, in bins of a hundred characters. */
export function LengthPlot({ lengths }: { readonly lengths: Overview['lengths'] }) {
  const t = useT();
  const most = Math.max(1, ...lengths.map(({ count }) => count));
  const step = WIDTH / lengths.length;
  const label = lengths
    .filter(({ count }) => count > 0)
    .map(({ from, count }) => `${from}: ${count}`)
    .join(', ');
  return (
    <section class="plot">
      <h2>{t('library.lengths')}</h2>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT + FOOT}`}
        role="img"
        aria-label={`${t('library.lengths')}: ${label}`}
      >
        <title>{t('library.lengths')}</title>
        {lengths.map(({ from, count }, at) => (
          <rect
            key={from}
            x={at * step + 0.5}
            width={step - 1}
            y={HEIGHT - (HEIGHT * count) / most}
            height={(HEIGHT * count) / most}
          />
        ))}
        <path d={`M0 ${HEIGHT}.5H${WIDTH}`} />
        {[0, 500, 1000].map((mark) => (
          <text key={mark} x={(mark / 100) * step} y={HEIGHT + 12}>
            {mark}
          </text>
        ))}
        <text class="end" x={WIDTH} y={HEIGHT + 12}>
          {t('library.lengths.axis')}
        </text>
      </svg>
    </section>
  );
}
