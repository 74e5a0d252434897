/**
 * The language in which people are spoken to. English stands in the code, as whole templates with `{1}`, `{2}` for what is
 * filled in; a table per other language has the same templates again (zh.ts), and language.test.ts finds the ones that
 * are missing. What programs read (`--json`, HTTP, MCP) is never translated.
 */
export type Language = 'en' | 'zh';

/** English template → the same in another language. */
export type Translations = Readonly<Record<string, string>>;

let language: Language = 'en';
let translations: Translations = {};

export const currentLanguage = (): Language => language;

/** Other tables than the English are loaded when they are chosen, so that nobody else waits for them. */
export async function chooseLanguage(chosen: Language): Promise<void> {
  translations = chosen === 'zh' ? (await import('./zh.js')).ZH : {};
  language = chosen;
}

/** What is made for a program or an agent, while the person at the terminal is spoken to in another language. */
export function inEnglish<T>(make: () => T): T {
  const [before, table] = [language, translations];
  language = 'en';
  translations = {};
  try {
    return make();
  } finally {
    language = before;
    translations = table;
  }
}

/** `--lang` counts before the environment, and there the variable that POSIX puts first. */
export function languageOf(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Language {
  return readLanguage(flagValue(argv) ?? firstSet(env, ['STRATA_LANG', 'LC_ALL', 'LC_MESSAGES', 'LANG']));
}

/** `zh_CN.UTF-8` and `zh-Hant` are Chinese; whatever we have no table for is English. */
const readLanguage = (name: string | undefined): Language =>
  /^zh([-_.@]|$)/i.test(name ?? '') ? 'zh' : 'en';

function flagValue(argv: readonly string[]): string | undefined {
  const end = argv.indexOf('--');
  const flags = end === -1 ? argv : argv.slice(0, end);
  const at = flags.findIndex((word) => word === '--lang' || word.startsWith('--lang='));
  if (at === -1) return undefined;
  return flags[at] === '--lang' ? flags[at + 1] : flags[at]?.slice('--lang='.length);
}

const firstSet = (env: Readonly<Record<string, string | undefined>>, names: readonly string[]) =>
  names.map((name) => env[name]).find((value) => value !== undefined && value !== '');

/** A template in the person's language, filled in. What has no translation is said in English rather than not at all. */
export function say(template: string, ...values: readonly (string | number)[]): string {
  return fill(translations[template] ?? template, values);
}

export const fill = (template: string, values: readonly (string | number)[]): string =>
  template.replace(/\{(\d)\}/g, (whole, number: string) => String(values[Number(number) - 1] ?? whole));

export const translationsNow = (): Translations => translations;
