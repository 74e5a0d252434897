import { useEffect, useState } from 'preact/hooks';
import { useAnswer } from './answer.js';
import type { Who } from './api-records.js';
import { type Key, language, setLanguage, useT } from './i18n/i18n.js';
import { lazy } from './lazy.js';
import { live, online, trouble } from './live.js';
import { KeyList } from './parts/key-list.js';
import { oneLine } from './parts/plain.js';
import { Ticked } from './parts/ticked.js';
import { go, place } from './router.js';
import { needsKey } from './session.js';
import { useStore } from './store.js';
import { nextTheme, theme } from './theme.js';
import { KeyView } from './views/key.js';
import { Search } from './views/search/search.js';

const DocumentView = lazy(() => import('./views/document.js').then((part) => part.DocumentView));
const Library = lazy(() => import('./views/library/library.js').then((part) => part.Library));
const Playground = lazy(() => import('./views/playground/playground.js').then((part) => part.Playground));
const MapView = lazy(() => import('./views/map/map.js').then((part) => part.MapView));
const Quality = lazy(() => import('./views/quality.js').then((part) => part.Quality));
const Tools = lazy(() => import('./views/tools/tools.js').then((part) => part.Tools));

const VIEWS = ['search', 'library', 'playground', 'map', 'quality', 'tools'] as const;

export function App() {
  const t = useT();
  const { view } = useStore(place);
  const key = useStore(needsKey);
  const [helps, setHelps] = useState(false);
  useShortcuts(() => setHelps((shown) => !shown));
  const name = (VIEWS as readonly string[]).includes(view)
    ? view
    : view === 'document'
      ? 'library'
      : 'search';
  useEffect(() => {
    document.title = `${t(`nav.${name}` as Key)} · Strata`;
  });
  // On a narrow screen the views' names may be wider than it: the one that is shown must be seen.
  useEffect(
    () => document.querySelector('nav a[aria-current]')?.scrollIntoView({ block: 'nearest' }),
    [name],
  );
  return (
    <>
      <a class="skip" href="#main">
        {t('nav.skip')}
      </a>
      <Header current={name} onHelp={() => setHelps(true)} />
      <Banner />
      <main id="main" tabIndex={-1}>
        {key === 'never' ? <Current view={view} /> : <KeyView why={key} />}
      </main>
      {helps && <KeyList onClose={() => setHelps(false)} />}
    </>
  );
}

function Current({ view }: { readonly view: string }) {
  switch (view) {
    case 'document':
      return <DocumentView />;
    case 'library':
      return <Library />;
    case 'playground':
      return <Playground />;
    case 'map':
      return <MapView />;
    case 'quality':
      return <Quality />;
    case 'tools':
      return <Tools />;
    default:
      return <Search />;
  }
}

function Header({ current, onHelp }: { readonly current: string; readonly onHelp: () => void }) {
  const t = useT();
  const tongue = useStore(language);
  const colours = useStore(theme);
  const { answer: who } = useAnswer<Who>('who', {});
  return (
    <header class="shell">
      <a class="mark" href="/">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path class="fill" d="M16 3 30 10 16 17 2 10Z" />
          <path class="line" d="m3 16 13 6.500L29 16M3 22l13 6.500L29 22" />
        </svg>
        Strata
      </a>
      <nav aria-label={t('nav.label')}>
        {VIEWS.map((name) => (
          <a
            key={name}
            href={name === 'search' ? '/' : `/${name}`}
            aria-current={name === current ? 'page' : undefined}
          >
            {t(`nav.${name}`)}
          </a>
        ))}
      </nav>
      <div class="tools">
        {who && (
          <span class="who">
            {oneLine(who.library)}
            {who.access === 'read' && ` · ${t('shell.readonly')}`}
          </span>
        )}
        <button
          type="button"
          class="quiet keys"
          onClick={onHelp}
          aria-label={t('shell.keys')}
          title={t('shell.keys')}
        >
          ?
        </button>
        <button
          type="button"
          class="quiet"
          onClick={nextTheme}
          aria-label={t(`shell.theme.${colours}`)}
          title={t(`shell.theme.${colours}`)}
        >
          {colours === 'dark' ? '●' : colours === 'light' ? '○' : '◐'}
        </button>
        <button
          type="button"
          class="quiet"
          lang={tongue === 'zh' ? 'en' : 'zh-CN'}
          onClick={() => setLanguage(tongue === 'zh' ? 'en' : 'zh')}
        >
          {t('shell.language')}
        </button>
      </div>
    </header>
  );
}

/** What concerns every view: the server is gone, the library cannot be read, vectors are being made. */
function Banner() {
  const t = useT();
  const isOnline = useStore(online);
  const problem = useStore(trouble);
  const library = useStore(live);
  if (!isOnline)
    return (
      <div class="banner problem" role="alert">
        <strong>{t('shell.offline')}</strong> <Ticked text={t('shell.offline.next')} />
      </div>
    );
  if (problem !== null)
    return (
      <div class="banner problem" role="alert">
        <strong>{t('shell.trouble')}:</strong> {oneLine(problem)}
      </div>
    );
  if (library === null || library.vectors.model === null || library.vectors.pending === 0) return null;
  const { embedded, pending } = library.vectors;
  return (
    <div class="banner progress">
      <progress max={embedded + pending} value={embedded} aria-label={t('library.meaning')} />
      {t('shell.embedding', { done: embedded, total: embedded + pending })}
    </div>
  );
}

/** Keys that work in every view: / for the search, ? for the list of keys, digits for the views. */
function useShortcuts(onHelp: () => void): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      if (/^(INPUT|TEXTAREA|SELECT)$/.test((event.target as Element).tagName)) return;
      if (event.key === '/') {
        event.preventDefault();
        if (place.get().view !== 'search') go('/');
        setTimeout(() => document.querySelector<HTMLElement>('#query')?.focus());
      } else if (event.key === '?') onHelp();
      else if (/^[1-6]$/.test(event.key)) {
        const name = VIEWS[Number(event.key) - 1]!;
        go(name === 'search' ? '/' : `/${name}`);
      }
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}
