import type { ChannelEvidence } from '../api-records.js';
import { isKey, useT } from '../i18n/i18n.js';

/** What speaks for a passage, as parts of a bar: what each channel adds to the sum that orders the passages. */
export function Evidence({ explain }: { readonly explain: readonly ChannelEvidence[] }) {
  const t = useT();
  const parts = explain.map(({ channel, rank, score, weight, base }) => ({
    channel,
    rank,
    amount: Math.max(0, weight * (score - base)),
  }));
  const sum = parts.reduce((total, { amount }) => total + amount, 0);
  if (sum === 0) return null;
  const named = parts.map((part) => {
    const key = `channel.${part.channel}`;
    return { ...part, share: part.amount / sum, name: isKey(key) ? t(key) : part.channel };
  });
  const label = named
    .map(({ name, share, rank }) => `${name} ${Math.round(share * 100)} % (#${rank})`)
    .join(', ');
  return (
    <span class="evidence" role="img" aria-label={`${t('search.evidence')}: ${label}`} title={label}>
      {named.map(({ channel, share }) => (
        <span
          key={channel}
          class={`share by-${channel.replace(/[^a-z]/g, '')}`}
          style={{ flexGrow: share }}
        />
      ))}
    </span>
  );
}
