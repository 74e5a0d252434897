import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram } from '../cli/cli.js';
import type { Field } from '../fields.js';
import { operations } from '../operations.js';
import { chooseLanguage, inEnglish, languageOf, say } from './language.js';
import { everyCommand, localise, partsOf } from './localise.js';
import { templatesIn } from './templates-in-source.suite.js';
import { translate } from './translate.js';
import { ZH } from './zh.js';

const program = () =>
  buildProgram(
    async () => 0,
    () => {},
  );
const descriptionsOf = ({ description, fields }: Field): readonly string[] =>
  fields === undefined ? [description] : Object.values(fields).flatMap(descriptionsOf);
const isChinese = (text: string): boolean => /\p{Script=Han}/u.test(text);

describe('B16 people read it in their language', () => {
  beforeAll(() => chooseLanguage('zh'));
  afterAll(() => chooseLanguage('en'));

  it('B16 every template of a message in the source has its Chinese', () => {
    const missing = templatesIn('src').filter(({ template }) => ZH[template] === undefined);
    expect([...new Set(missing.map(({ file, template }) => `${file}: ${template}`))]).toEqual([]);
  });

  it('B16 every line of every help page has its Chinese', () => {
    const english = program();
    const texts = [english, ...everyCommand(english)].flatMap((command) => [
      command.summary(),
      command.description(),
      ...partsOf(command).map((part) => part.description),
    ]);
    const whole = operations.flatMap(({ summary, description, examples, input }) => [
      summary,
      description,
      ...examples.map((one) => one.explanation),
      ...Object.values(input).flatMap(descriptionsOf),
    ]);
    const missing = texts.filter((text) => text !== '' && !isChinese(translate(text)));
    missing.push(...whole.filter((text) => ZH[text] === undefined));
    expect([...new Set(missing)]).toEqual([]);
  });

  it('B16 help pages are Chinese down to their headings', () => {
    const chinese = program();
    localise(chinese);
    for (const command of [chinese, ...everyCommand(chinese)]) {
      expect(command.helpInformation()).not.toMatch(
        /Show help|Usage:|Options:|Arguments:|Commands:|choices:|default:/,
      );
    }
  });

  it('B16 every command has examples, each explained in Chinese', () => {
    const chinese = program();
    localise(chinese);
    for (const command of everyCommand(chinese)) {
      let help = '';
      const writeOut = (text: string): void => {
        help += text;
      };
      command.configureOutput({ writeOut }).outputHelp();
      const [, examples] = help.split(/例子：|示例：/);
      expect(examples, command.name()).toContain('strata ');
      for (const line of examples!
        .trimEnd()
        .split('\n')
        .filter((one) => one.includes(' # ')))
        expect(isChinese(line.split(' # ')[1]!), line).toBe(true);
    }
  });

  it('B16 a translation has the same blanks to fill as the template', () => {
    const blanks = (text: string) => [...new Set(text.match(/\{\d\}/g) ?? [])].sort().join();
    const wrong = Object.entries(ZH).filter(([template, chinese]) => {
      const [wanted, given] = [blanks(template), blanks(chinese)];
      return given.split(',').some((blank) => blank !== '' && !wanted.includes(blank));
    });
    expect(wrong).toEqual([]);
  });

  it('B16 a message is translated whatever was filled in, and what was filled in stays as it is', () => {
    const text = fc
      .string({ minLength: 1 })
      .filter((value) => !/[{}:;]/.test(value) && value.trim() === value);
    fc.assert(
      fc.property(text, (path) => {
        const said = translate(`${path}: is a directory, not a file`);
        expect(said).not.toBe(`${path}: is a directory, not a file`);
        expect(said).toContain(path);
      }),
    );
  });

  it('B16 a path that reads like a count stays a path', () => {
    expect(translate('my files: is a directory, not a file')).toContain('my files');
    expect(translate('1,200 files')).toBe('1,200 个文件');
  });

  it('B16 a long hostile message takes time in proportion to its length', () => {
    const message = `${': '.repeat(200_000)}x`;
    expect(translate(message).length).toBeGreaterThan(0);
  });

  it('B16 agents and programs are answered in English whatever the terminal speaks', () => {
    expect(isChinese(say('Library'))).toBe(true);
    expect(inEnglish(() => say('Library'))).toBe('Library');
    expect(isChinese(say('Library'))).toBe(true);
  });
});

describe('B16 which language', () => {
  it.each([
    [['--lang', 'zh'], { LANG: 'en_US.UTF-8' }, 'zh'],
    [['search', 'x', '--lang=zh'], {}, 'zh'],
    [['search', '--', '--lang', 'zh'], {}, 'en'],
    [[], { LANG: 'zh_CN.UTF-8' }, 'zh'],
    [[], { LANG: 'zh_CN.UTF-8', LC_ALL: 'C' }, 'en'],
    [[], { LC_MESSAGES: 'zh-Hant', LANG: 'de_DE' }, 'zh'],
    [[], { STRATA_LANG: 'en', LANG: 'zh_CN' }, 'en'],
    [['--lang', 'en'], { LANG: 'zh_CN' }, 'en'],
    [[], { LANG: 'zhuang' }, 'en'],
    [[], {}, 'en'],
  ] as const)('B16 %j with %j is %s', (argv, env, language) => {
    expect(languageOf(argv, env)).toBe(language);
  });
});
