import { describe, expect, it } from 'vitest';
import { phraseSpans } from './phrase.js';
import { parseQuery } from './query.js';

const weights = (text: string): Record<string, number> =>
  Object.fromEntries(parseQuery(text).terms.map(({ term, weight }) => [term, weight]));

describe('parseQuery', () => {
  it('drops function words of both languages, unless there is nothing else', () => {
    expect(Object.keys(weights('what is the boundary layer'))).toEqual(['boundari', 'layer']);
    expect(Object.keys(weights('to be or not to be'))).toEqual(['to', 'be', 'or', 'not']);
    expect(Object.keys(weights('如何起诉'))).not.toContain('如何');
    expect(Object.keys(weights('什么'))).toContain('什么');
  });

  it('weighs a pair that is half a function word by half', () => {
    const found = weights('如何起诉');
    expect(found.起诉).toBe(1);
    expect(found.何起).toBe(0.5);
  });

  it('counts repetition, but less and less', () => {
    const { layer } = weights('layer layer layer flow');
    expect(layer).toBeGreaterThan(1.5);
    expect(layer).toBeLessThan(3);
  });

  it('asks for a short word as a whole', () => {
    expect(parseQuery('数据').required).toEqual(['数据']);
    expect(parseQuery('数').required).toEqual([]);
    expect(weights('数').数).toBe(1);
  });

  it('reads phrases in any quotes, with their function words', () => {
    expect(parseQuery('say "the end" now').phrases).toEqual(['the end']);
    expect(parseQuery('“数据库” 「連接池」').phrases).toEqual(['数据库', '連接池']);
    expect(parseQuery('"the end"').required).toEqual(['the', 'end']);
    expect(parseQuery('5" disk').phrases).toEqual([]);
    const question = 'Who wrote the story behind "Act of War; Direct Action" and when?';
    expect(parseQuery(question)).toMatchObject({ phrases: [], required: [] });
    expect(parseQuery('谁写了 “战争法案” 的故事？').phrases).toEqual([]);
    // A mark alone makes no question of it, and without one it is a search.
    expect(parseQuery('"Act of War"?').phrases).toEqual([]);
    expect(parseQuery('"Act of War" ?').phrases).toEqual(['Act of War']);
    expect(parseQuery('who wrote "Act of War"').phrases).toEqual(['Act of War']);
    expect(parseQuery('什么是“善意取得”？').phrases).toEqual([]);
    // A pasted passage: its quotes are the author's.
    const passage = `The program was developed to classify documents. ${'It learns from examples. '.repeat(8)}`;
    expect(parseQuery(`${passage}They "train" the classifier.`)).toMatchObject({ phrases: [], required: [] });
  });

  it('takes the last word as unfinished only when asked', () => {
    expect(parseQuery('nginx confi').prefix).toBeNull();
    expect(parseQuery('nginx Confi', { prefix: true }).prefix).toBe('confi');
    expect(parseQuery('nginx confi*').prefix).toBe('confi');
    expect(parseQuery('nginx 配置', { prefix: true }).prefix).toBeNull();
  });
});

describe('phraseSpans', () => {
  it('meets the words in order, whatever case, width, script form or spacing', () => {
    const text = 'Of Machine-\nLearning, and 機器學習。';
    expect(phraseSpans('machine learning', text).map(([s, e]) => text.slice(s, e))).toEqual([
      'Machine-\nLearning',
    ]);
    expect(phraseSpans('机器学习', text)).toHaveLength(1);
  });

  it('does not cross a full stop, change the order or the form of a word', () => {
    expect(phraseSpans('machine learning', 'a machine. Learning')).toEqual([]);
    expect(phraseSpans('machine learning', 'learning machine')).toEqual([]);
    expect(phraseSpans('machine learning', 'machines learning')).toEqual([]);
    expect(phraseSpans('学习机器', '机器学习')).toEqual([]);
  });

  it('takes the marks the phrase itself has', () => {
    expect(phraseSpans('foo.bar', 'call foo.bar() now')).toHaveLength(1);
    expect(phraseSpans('先，后', '首先，后来')).toHaveLength(1);
  });
});
