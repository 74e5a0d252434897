import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { templatesIn } from '../language/templates-in-source.suite.js';
import { answerForAgents, forAgents } from './for-agents.js';

const COMMAND = /`strata [a-z]|(^|[\s(`"])--[a-z]/;

describe('what agents are told', () => {
  it('B2 no message in the source names a command or a flag to an agent', () => {
    const templates = [...new Set(templatesIn('src').map(({ template }) => template))];
    const naming = templates.filter((template) => COMMAND.test(template));
    expect(naming.length).toBeGreaterThan(60);
    const wrong = naming.map((template) => forAgents(template)).filter((told) => COMMAND.test(told));
    expect(wrong).toEqual([]);
  });

  it('B2 what is left is a message, and says what was wrong', () => {
    expect(forAgents('The chunk c1 is damaged on disk; run `strata doctor --fix`.')).toBe(
      'The chunk c1 is damaged on disk',
    );
    expect(forAgents('the model is not on this machine yet (`strata embed` fetches it)')).toBe(
      'the model is not on this machine yet',
    );
    expect(forAgents('No document here is of the file type "x": `strata list` shows what there is.')).toBe(
      'No document here is of the file type "x": `list_documents` shows what there is.',
    );
    expect(forAgents('the PDF is encrypted and needs a password: give it with --password')).toBe(
      'the PDF is encrypted and needs a password',
    );
    expect(forAgents('Run `strata doctor`')).toBe('The person who keeps this library must look at it.');
  });

  it('B2 other messages are left alone, and so is what documents say', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!COMMAND.test(text));
        expect(forAgents(text)).toBe(text);
      }),
    );
    const content = 'Run `strata doctor --fix`.';
    const answer = {
      results: [{ content, message: content }],
      notices: [content],
      entries: [{ source_path: 'a.md', reason: `broken; ${content}` }],
    };
    expect(answerForAgents(answer)).toEqual({
      results: answer.results,
      notices: ['The person who keeps this library must look at it.'],
      entries: [{ source_path: 'a.md', reason: 'broken' }],
    });
  });
});
