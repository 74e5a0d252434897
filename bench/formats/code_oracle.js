// Top-level functions and classes of TypeScript and JavaScript files by TypeScript's own parser, one JSON line per file.
// node code_oracle.js FILE… (needs typescript 5, which bench/package.json brings)
import { readFileSync } from 'node:fs';
import ts from 'typescript';

for (const file of process.argv.slice(2)) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const line = (at) => source.getLineAndCharacterOfPosition(at).line + 1;
  const declarations = source.statements
    .filter((node) => ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node))
    .map((node) => ({
      name: node.name?.text ?? 'default',
      from: line(node.getStart(source, false)),
      to: line(node.end),
    }));
  console.log(JSON.stringify({ file, declarations }));
}
