import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tree } from '../../model/tree.js';
import { DEFAULT_LIMITS } from '../parser.js';
import { expectSoundTree } from '../tree.suite.js';
import { codeParser } from './code.js';

const parse = async (name: string, text: string): Promise<Tree> => {
  const tree = await codeParser({ bytes: Buffer.from(text), name, limits: DEFAULT_LIMITS });
  expectSoundTree(tree);
  expect(tree.text).toBe(text);
  return tree;
};

/** `level title from-to` with lines from 1, inclusive. */
const lines = (tree: Tree): string[] => {
  const row = (at: number): number => tree.text.slice(0, at).split('\n').length;
  return tree.sections.map(
    ({ level, title, span }) =>
      `${level} ${title} ${row(span.start)}-${row(Math.max(span.start, span.end - 1))}`,
  );
};

const CASES: readonly (readonly [name: string, text: string, sections: readonly string[]])[] = [
  [
    'a.ts',
    `import x from 'x';

/** Adds. */
export function add(a: number, b: number): number {
  return a + b;
}

// unrelated

@sealed
export class Point<T> {
  x = 1;
  /** Moves. */
  @log()
  move(): void {
    this.x += 1;
  }
}
export const double = async (n: number) => {
  return n * 2;
};
interface Shape {
  area(): number;
}
export default function () {}
exports.old = function () {};
(function () {
  function inside() {}
})();
`,
    [
      '1 add 3-6',
      '1 Point 10-18',
      '2 move 13-17',
      '1 double 19-21',
      '1 Shape 22-24',
      '1 default 25-25',
      '1 exports.old 26-26',
      '1 inside 28-28',
    ],
  ],
  ['a.tsx', 'export const App = () => <div>{1}</div>;\n', ['1 App 1-1']],
  [
    'a.js',
    '#!/usr/bin/env node\nclass A { static b() {} }\nasync function* c() {}\n',
    ['1 A 2-2', '2 b 2-2', '1 c 3-3'],
  ],
  [
    'a.py',
    `"""Module."""
# Comment of deco
@deco
def first():
    """Doc."""
    return 1

class Thing:
    def method(self):
        pass
# after
if True:
    async def second(): pass
`,
    ['1 first 2-6', '1 Thing 8-10', '2 method 9-10', '1 second 13-13'],
  ],
  [
    'a.go',
    'package a\n\n// Run runs.\nfunc Run() {\n}\n\nfunc (s *Server) Stop() error {\n\treturn nil\n}\n\ntype Server struct {\n\ta int\n}\n\ntype (\n\tA int\n\tB interface{ X() }\n)\n',
    ['1 Run 3-5', '1 Server.Stop 7-9', '1 Server 11-13', '1 A 16-16', '1 B 17-17'],
  ],
  [
    'a.rs',
    '/// A point.\n#[derive(Debug)]\npub struct Point { x: i32 }\n\nimpl Display for Point {\n    fn fmt(&self) {}\n}\n\nmod tests {\n    #[test]\n    fn works() {}\n}\nmacro_rules! m { () => {} }\n',
    [
      '1 Point 1-3',
      '1 impl Display for Point 5-7',
      '2 fmt 6-6',
      '1 tests 9-12',
      '2 works 10-11',
      '1 m 13-13',
    ],
  ],
  [
    'a.java',
    'package a;\n\n/** Doc. */\n@Deprecated\npublic class A<T> {\n  private int x;\n  A() {}\n  /** m */\n  void m() {\n  }\n}\ninterface I { void q(); }\n',
    ['1 A 3-11', '2 A 7-7', '2 m 8-10', '1 I 12-12', '2 q 12-12'],
  ],
  [
    'a.c',
    '#include <stdio.h>\n\n/* Old style. */\nint old(a, b)\nint a;\nchar *b;\n{\n  return a;\n}\n\nstruct point {\n  int x;\n};\nstruct point origin;\nstatic char *name(void)\n{\n  return 0;\n}\n',
    ['1 old 3-9', '1 point 11-13', '1 name 15-18'],
  ],
  [
    'a.cpp',
    'NS_BEGIN\nnamespace n {\nclass API_EXPORT A {\n public:\n  void m() {}\n};\ntemplate <class T>\nT id(T a) { return a; }\n}\nvoid A::k() const {}\n',
    ['1 n 2-9', '2 A 3-6', '3 m 5-5', '2 id 7-8', '1 A::k 10-10'],
  ],
  [
    'a.cs',
    'namespace N;\n/// <summary>Doc</summary>\npublic class A {\n  public A() {}\n  void M() {}\n}\nenum E { X }\n',
    ['1 A 2-6', '2 A 4-4', '2 M 5-5', '1 E 7-7'],
  ],
  [
    'a.rb',
    'module M\n  # Doc\n  class A < B\n    def m; end\n    def self.s\n    end\n  end\nend\ndef f(a)\nend\n',
    ['1 M 1-8', '2 A 2-7', '3 m 4-4', '3 s 5-6', '1 f 9-10'],
  ],
  [
    'a.php',
    '<?php\nnamespace A;\n/** Doc. */\nfinal class B {\n  public function m() {}\n}\nfunction f() {}\n',
    ['1 B 3-6', '2 m 5-5', '1 f 7-7'],
  ],
  ['a.sh', '#!/bin/sh\n# Says.\nsay() {\n  echo "$1"\n}\nsay hi\n', ['1 say 2-5']],
  ['noext', '#!/usr/bin/env python3\ndef f():\n    pass\n', ['1 f 2-3']],
  ['a.lua', 'function f()\nend\n\nprint(1)\n', []],
];

describe('code', () => {
  it.each(CASES)(
    'makes functions and classes sections with their doc comments: %s',
    async (name, text, sections) => {
      const tree = await parse(name, text);
      expect(lines(tree)).toEqual(sections);
      expect(tree.format).toBe('code');
      expect(tree.blocks.every(({ type, lang }) => type === 'code' && lang === tree.metadata.language)).toBe(
        true,
      );
    },
  );

  it.each([
    [
      'a brace that either branch opens',
      'int f(int a) {\n#ifdef A\n  if (a) {\n#else\n  if (!a) {\n#endif\n    g();\n  }\n  return a;\n}\nint h(void) { return 1; }\n',
      ['1 f 1-10', '1 h 11-11'],
    ],
    [
      'two heads of one body',
      '#ifdef A\nstatic int f(int a)\n#else\nstatic int f(long a)\n#endif\n{\n  return 1;\n}\nint h(void) { return 1; }\n',
      ['1 f 2-8', '1 h 9-9'],
    ],
    [
      'macros for labels, attributes and whole lines',
      '_NS_BEGIN_VERSION\nclass A {\n  PRIVATE_UNLESS_TESTED:\n    void m() {}\n};\ntemplate<typename T>\n[[nodiscard]] inline auto id(T& a) -> T { return a; }\n',
      ['1 A 2-5', '2 m 4-4', '1 id 6-7'],
    ],
  ])('sees through what the preprocessor would have done: %s', async (_, text, sections) => {
    expect(lines(await parse('a.cpp', text))).toEqual(sections);
  });

  it('finds the functions inside a long closure', async () => {
    const filler = '  work();\n'.repeat(400);
    const tree = await parse('a.js', `function outer() {\n${filler}  function inner() {}\n}\n`);
    expect(lines(tree)).toEqual(['1 outer 1-403', '2 inner 402-402']);
  });

  it('keeps every character in a block, whatever the text', async () => {
    const piece = fc.constantFrom(
      'function f() {',
      '}',
      'class A {',
      '\n',
      '  ',
      '// c',
      '/** d */',
      'x = 1;',
      '词',
      '(',
      '"',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 30 }),
        fc.constantFrom('a.ts', 'a.cpp', 'a.py', 'a.rs'),
        async (pieces, name) => {
          await parse(name, pieces.join(''));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('S2.4 reads as lines what is too large for its grammar, and says so', async () => {
    const tree = await parse('a.js', 'f();\n'.repeat(900_000));
    expect(tree.sections).toEqual([]);
    expect(tree.blocks).toHaveLength(1);
    expect(tree.blocks[0]!.cuts).toHaveLength(899_999);
    expect(tree.warnings[0]).toMatch(/without sections/);
  });
});
