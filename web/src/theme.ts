import { store } from './store.js';

/** Light or dark as the system says, until the reader says otherwise. */
export type Theme = 'system' | 'light' | 'dark';
const KEY = 'strata-theme';
const ORDER: readonly Theme[] = ['system', 'light', 'dark'];

const kept = localStorage.getItem(KEY) as Theme | null;
export const theme = store<Theme>(kept !== null && ORDER.includes(kept) ? kept : 'system');

const apply = (): void => {
  if (theme.get() === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.get();
};
theme.subscribe(apply);
apply();

export function nextTheme(): void {
  const next = ORDER[(ORDER.indexOf(theme.get()) + 1) % ORDER.length]!;
  localStorage.setItem(KEY, next);
  theme.set(next);
}
