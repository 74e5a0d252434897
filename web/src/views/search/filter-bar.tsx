import { useAnswer } from '../../answer.js';
import type { Overview } from '../../api-records.js';
import { useT } from '../../i18n/i18n.js';
import { oneLine } from '../../parts/plain.js';
import type { Filters } from './use-search.js';

const TYPES = ['text', 'code', 'table', 'list', 'faq'] as const;
const MOST_FOLDERS = 200;

/** Filters as chips: formats that the library has, kinds of passage, a folder. */
export function FilterBar({
  filters,
  onChange,
}: {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}) {
  const t = useT();
  const { answer } = useAnswer<Overview>('overview', {}, { follows: true });
  const toggled = (list: readonly string[], name: string): string[] =>
    list.includes(name) ? list.filter((one) => one !== name) : [...list, name];
  const formats = (answer?.formats ?? []).map(({ name }) => name).slice(0, 8);
  return (
    <fieldset class="filters">
      <legend class="hidden">{t('search.filters')}</legend>
      {formats.length > 1 &&
        formats.map((name) => (
          <Chip
            key={name}
            label={name}
            isOn={filters.formats.includes(name)}
            onToggle={() => onChange({ ...filters, formats: toggled(filters.formats, name) })}
          />
        ))}
      {formats.length > 1 && <span class="bar" />}
      {TYPES.map((name) => (
        <Chip
          key={name}
          label={t(`type.${name}`)}
          isOn={filters.content_types.includes(name)}
          onToggle={() => onChange({ ...filters, content_types: toggled(filters.content_types, name) })}
        />
      ))}
      {(answer?.folders.length ?? 0) > 1 && (
        <label class={filters.path === '' ? 'chip select' : 'chip select on'}>
          <span class="hidden">{t('search.folder')}</span>
          <select
            value={filters.path}
            onChange={(event) => onChange({ ...filters, path: event.currentTarget.value })}
          >
            <option value="">
              {t('search.folder')}: {t('search.folder.all')}
            </option>
            {answer?.folders.slice(0, MOST_FOLDERS).map(({ name }) => (
              <option key={name} value={name}>
                {oneLine(name)}
              </option>
            ))}
          </select>
        </label>
      )}
    </fieldset>
  );
}

function Chip({
  label,
  isOn,
  onToggle,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly onToggle: () => void;
}) {
  return (
    <button type="button" class={isOn ? 'chip on' : 'chip'} aria-pressed={isOn} onClick={onToggle}>
      {oneLine(label)}
    </button>
  );
}
