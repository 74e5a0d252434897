import { useEffect, useRef } from 'preact/hooks';
import { type Key, useT } from '../i18n/i18n.js';

const KEYS: readonly (readonly [string, Key])[] = [
  ['/', 'keys.search'],
  ['↓ ↑', 'keys.move'],
  ['Enter', 'keys.open'],
  ['c', 'keys.copy'],
  ['Esc', 'keys.back'],
  ['1–6', 'keys.views'],
  ['?', 'keys.help'],
];

export function KeyList({ onClose }: { readonly onClose: () => void }) {
  const t = useT();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={t('keys.title')}>
      <h2>{t('keys.title')}</h2>
      <dl class="key-list">
        {KEYS.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(meaning)}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={onClose}>
        {t('keys.close')}
      </button>
    </dialog>
  );
}
