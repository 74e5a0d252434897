import { describe, expect, it } from 'vitest';
import { buildProgram } from './cli.js';
import { withLeadingFlags } from './leading-flags.js';

const program = buildProgram(
  async () => 0,
  () => {},
);
const moved = (line: string): string => withLeadingFlags(program, line.split(' ')).join(' ');

describe('flags before the command', () => {
  it('B16 mean the same as behind it', () => {
    expect(moved('--lang zh list')).toBe('list --lang zh');
    expect(moved('--lang=zh --json search cats -n 2')).toBe('search --lang=zh --json cats -n 2');
    expect(moved('--library kb -q table put a b.json')).toBe('table put --library kb -q a b.json');
    expect(moved('search --json --lang zh')).toBe('search --json --lang zh');
  });

  it('B16 of no command leave help and errors as they are', () => {
    expect(moved('--lang zh --help')).toBe('--help');
    expect(moved('--lang zh nonsense')).toBe('nonsense');
    expect(moved('--nonsense list')).toBe('--nonsense list');
  });
});
