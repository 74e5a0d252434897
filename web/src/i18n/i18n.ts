import { store, useStore } from '../store.js';
import { en, type Words } from './en.js';
import { zh } from './zh.js';

export type Language = 'en' | 'zh';
export type Key = keyof Words;
export type Translate = (key: Key, values?: Readonly<Record<string, string | number>>) => string;

const KEY = 'strata-language';
const kept = localStorage.getItem(KEY);
const preferred: Language = navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';

export const language = store<Language>(kept === 'en' || kept === 'zh' ? kept : preferred);

const tell = (): void => {
  document.documentElement.lang = language.get() === 'zh' ? 'zh-CN' : 'en';
};
language.subscribe(tell);
tell();

export function setLanguage(next: Language): void {
  localStorage.setItem(KEY, next);
  language.set(next);
}

const WORDS: Readonly<Record<Language, Words>> = { en, zh };

export function useT(): Translate {
  const words = WORDS[useStore(language)];
  return (key, values = {}) =>
    (words[key] ?? key).replace(/\{(\w+)\}/g, (whole, name: string) =>
      name in values ? shown(values[name]!) : whole,
    );
}

export const isKey = (key: string): key is Key => Object.hasOwn(en, key);

const shown = (value: string | number): string =>
  typeof value === 'number' ? value.toLocaleString(language.get() === 'zh' ? 'zh-CN' : 'en') : value;
