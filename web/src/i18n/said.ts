import { store, useStore } from '../store.js';
import { language } from './i18n.js';

/** A message of the server in another language. */
export type Said = (message: string) => string;

const asItIs: Said = (message) => message;
const chinese = store<{ readonly translate: Said } | null>(null);
let isLoading = false;

/** The tables of the command line, fetched when there is a first message to be said in Chinese. */
async function loadChinese(): Promise<void> {
  const [{ chooseLanguage }, { translate }] = await Promise.all([
    import('../../../src/serve/language/language.js'),
    import('../../../src/serve/language/translate.js'),
  ]);
  await chooseLanguage('zh');
  chinese.set({ translate });
}

/** English until the tables are there; then all who have said something say it again. */
const untilLoaded: Said = (message) => {
  if (!isLoading && message !== '') {
    isLoading = true;
    void loadChinese().catch(() => {
      isLoading = false;
    });
  }
  return message;
};

/** What the server says (programs read it, too, so it is English), in the language of the page. */
export function useSaid(): Said {
  const isChinese = useStore(language) === 'zh';
  const loaded = useStore(chinese);
  return isChinese ? (loaded?.translate ?? untilLoaded) : asItIs;
}
