import { useState } from 'preact/hooks';
import { useT } from '../i18n/i18n.js';

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const t = useT();
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await copyText(text);
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return (
    <button type="button" class="quiet copy" onClick={() => void copy()}>
      {done ? t('search.cited') : label}
    </button>
  );
}

/** Browsers give the clipboard to secure pages only; a server on another machine may be none. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}
