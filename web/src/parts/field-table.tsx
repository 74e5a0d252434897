import { plain } from './plain.js';

/** Every field of a record by its own name, whatever it holds. */
export function FieldTable({ fields }: { readonly fields: Readonly<Record<string, unknown>> }) {
  return (
    <dl class="field-table">
      {Object.entries(fields).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{shown(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

const LONG = 4000;

function shown(value: unknown) {
  if (typeof value === 'string') return value === '' ? '""' : plain(value.slice(0, LONG));
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.map(plain).join(' › ');
  return typeof value === 'object' && value !== null ? (
    <pre>{plain(JSON.stringify(value, null, 1)).slice(0, LONG)}</pre>
  ) : (
    String(value)
  );
}
