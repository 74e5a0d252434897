import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useT } from './i18n/i18n.js';

/** A part of the page that is loaded when it is first shown. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | null = null;
  return function Lazy(props: P) {
    const t = useT();
    const [part, setPart] = useState<{ readonly is: ComponentType<P> | null }>({ is: loaded });
    const [failed, setFailed] = useState(0);
    useEffect(() => {
      if (loaded !== null) return;
      load().then(
        (is) => {
          loaded = is;
          setPart({ is });
        },
        // A server that is gone for a moment: its files are asked for again.
        () => setTimeout(() => setFailed((count) => count + 1), 2000),
      );
    }, [failed]);
    const Part = part.is;
    return Part === null ? <p class="loading">{t('shell.loading')}</p> : <Part {...props} />;
  };
}
