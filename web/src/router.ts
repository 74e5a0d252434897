import { store } from './store.js';

/** Where the page is: the path's first part names the view, the rest and the question mark's part belong to it. */
export interface Place {
  readonly view: string;
  readonly rest: string;
  readonly params: URLSearchParams;
}

const here = (): Place => {
  const [, view = '', rest = ''] = /^\/([^/]*)\/?(.*)$/.exec(location.pathname) ?? [];
  return {
    view: view || 'search',
    rest: decodeURIComponent(rest),
    params: new URLSearchParams(location.search),
  };
};

export const place = store<Place>(here());

addEventListener('popstate', () => place.set(here()));

export function go(address: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  place.set(here());
}

/** The same view with other parameters; empty ones are left out of the address. */
export function setParams(changes: Readonly<Record<string, string | null>>, { replace = true } = {}): void {
  const params = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') params.delete(name);
    else params.set(name, value);
  }
  const text = params.toString();
  go(location.pathname + (text === '' ? '' : `?${text}`), { replace });
}

/** Links of the page itself are followed without loading it again. */
export function followLinks(root: HTMLElement): void {
  root.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return;
    const link = (event.target as Element).closest('a');
    if (link === null || link.target !== '' || link.origin !== location.origin) return;
    event.preventDefault();
    go(link.pathname + link.search);
    document.querySelector('main')?.scrollTo(0, 0);
  });
}
