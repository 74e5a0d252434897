import { expect, it } from 'vitest';
import { sampleReindex } from '../../../store/sample.js';
import { WordsCheck } from '../../../store/words/check-words.js';
import { Connection } from '../connection.js';
import { pageRows, UnitPages } from './unit-pages.js';

it('S1.3 a page whose bytes a flipped bit made NULL or text is damaged, not a crash', () => {
  const connection = new Connection(':memory:', { patience: 0 });
  connection.exec(
    "CREATE TABLE unit_pages (page, generation, data); INSERT INTO unit_pages VALUES (0, 1, NULL), (1, 1, 'text')",
  );
  const pages = pageRows(connection, 'TRUE');
  const source = { directory: () => expect.fail(), block: () => expect.fail() };
  const problems = new WordsCheck(sampleReindex).problems({
    pages,
    buried: new Set(),
    segments: () => [],
    source,
  });
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('page 0'),
    expect.stringContaining('page 1'),
  ]);
  expect(() => new UnitPages(connection).kill(3)).toThrow(/page 0/);
  connection.close();
});
