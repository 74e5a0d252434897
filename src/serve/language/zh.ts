import type { Translations } from './language.js';
import { ZH_ACCESS } from './zh-access.js';
import { ZH_ADDING } from './zh-adding.js';
import { ZH_ANSWERS } from './zh-answers.js';
import { ZH_HELP } from './zh-help.js';
import { ZH_MESSAGES } from './zh-messages.js';
import { ZH_PAGE } from './zh-page.js';
import { ZH_REASONS } from './zh-reasons.js';
import { ZH_TOOLS } from './zh-tools.js';

/** Chinese: every template that people may read, once. language.test.ts finds what is missing. */
export const ZH: Translations = {
  ...ZH_HELP,
  ...ZH_ANSWERS,
  ...ZH_REASONS,
  ...ZH_TOOLS,
  ...ZH_MESSAGES,
  ...ZH_ADDING,
  ...ZH_PAGE,
  ...ZH_ACCESS,
};
