import type { Node } from 'web-tree-sitter';
import type { Declaration } from './code-tree.js';
import type { CodeLanguage } from './languages.js';

/** Classes in namespaces in conditions: nobody nests deeper, and hostile files must not recurse without end. */
const DEPTH = 40;
/** A function longer than two chunks is searched for functions inside it, so that long closures have parts. */
const LONG = 2_400;
/** How many comment lines above a body are looked at. */
const ABOVE = 30;
const LEADING = new Set(
  'comment line_comment block_comment decorator attribute_item attribute_list'.split(' '),
);

/** The declarations in a syntax tree, outermost first, in order. */
export function declarationsIn(root: Node, text: string, language: CodeLanguage): Declaration[] {
  const find = (parent: Node, depth: number, above: readonly Node[] = []): Declaration[] => {
    const found: Declaration[] = [];
    if (depth > DEPTH) return found;
    const children = parent.namedChildren.filter((child) => child !== null);
    // Ruby's grammar puts the comment above a body's first member before the body.
    const siblings = [...above, ...children];
    for (const [at, child] of children.entries()) {
      const declared = declarationOf(child, language);
      if (declared !== undefined) {
        const { title, inner, opaque } = declared;
        const isLong = child.endIndex - child.startIndex > LONG;
        const body = opaque ? (isLong ? (inner.childForFieldName('body') ?? undefined) : undefined) : inner;
        found.push({
          title,
          start: leadingStart(siblings, above.length + at, text),
          end: trailingEnd(child, text, language),
          inside: body === undefined ? [] : find(body, depth + 1),
        });
      } else if (
        language.passages.has(child.type) ||
        child.type === 'ERROR' ||
        language.wrappers.has(child.type)
      ) {
        found.push(...find(child, depth + 1, children.slice(Math.max(0, at - ABOVE), at)));
      }
    }
    return found;
  };
  return find(root, 0);
}

interface Found {
  readonly title: string;
  readonly inner: Node;
  /** Members are not looked for, unless it is long. */
  readonly opaque: boolean;
}

function declarationOf(node: Node, language: CodeLanguage): Found | undefined {
  let inner = node;
  for (let steps = 0; steps < 4 && language.wrappers.has(inner.type); steps += 1) {
    const next = inner.namedChildren.find(
      (child) =>
        child !== null &&
        (language.functions.has(child.type) ||
          language.containers.has(child.type) ||
          language.wrappers.has(child.type) ||
          SCRIPT_VALUES.has(child.type)),
    );
    if (next === null || next === undefined) return undefined;
    // `type ( A …; B … )`: each is a declaration of its own.
    if (inner.namedChildren.filter((child) => child?.type === next.type).length > 1) return undefined;
    inner = next;
  }
  if (language.functions.has(inner.type)) return { title: titleOf(inner), inner, opaque: true };
  if (language.containers.has(inner.type)) {
    // `struct point p;` names a type; `namespace a;` is a line: without a body there is nothing to be a section of.
    if (!hasBody(inner)) return undefined;
    return { title: inner === node ? titleOf(inner) : titleOf(inner, node), inner, opaque: false };
  }
  return scriptValue(inner);
}

/** JavaScript's functions that are values: `const f = () => …`, `exports.f = function …`, class fields. */
const SCRIPT_VALUES = new Set(
  'lexical_declaration variable_declaration function_expression arrow_function'.split(' '),
);
const FUNCTION_VALUES = new Set(
  'arrow_function function_expression generator_function function class'.split(' '),
);

function scriptValue(node: Node): Found | undefined {
  if (node.type === 'lexical_declaration' || node.type === 'variable_declaration') {
    const declarators = node.namedChildren.filter((child) => child?.type === 'variable_declarator');
    const [only] = declarators;
    if (declarators.length !== 1 || only === null || only === undefined) return undefined;
    return valued(only.childForFieldName('name'), only.childForFieldName('value'));
  }
  if (node.type === 'expression_statement') {
    const assignment = node.namedChildren[0];
    if (assignment?.type !== 'assignment_expression') return undefined;
    return valued(assignment.childForFieldName('left'), assignment.childForFieldName('right'));
  }
  if (node.type === 'public_field_definition' || node.type === 'field_definition') {
    return valued(
      node.childForFieldName('name') ?? node.childForFieldName('property'),
      node.childForFieldName('value'),
    );
  }
  if (
    (node.type === 'function_expression' || node.type === 'arrow_function') &&
    node.parent?.type === 'export_statement'
  ) {
    return { title: node.childForFieldName('name')?.text ?? 'default', inner: node, opaque: true };
  }
  return undefined;
}

function valued(name: Node | null, value: Node | null): Found | undefined {
  if (name === null || value === null || !FUNCTION_VALUES.has(value.type)) return undefined;
  return { title: oneLine(name.text), inner: value, opaque: value.type !== 'class' };
}

const BODIES = new Set(
  'class_body declaration_list field_declaration_list enumerator_list enum_member_declaration_list interface_body enum_body statement_block object_type body_statement block annotation_type_body enum_declaration_list'.split(
    ' ',
  ),
);

const hasBody = (node: Node): boolean =>
  node.childForFieldName('body') !== null ||
  node.namedChildren.some((child) => child !== null && BODIES.has(child.type)) ||
  /^(?:class|module|type_alias_declaration|record_declaration)$/.test(node.type);

function titleOf(node: Node, outer?: Node): string {
  if (node.type === 'impl_item') return oneLine(headOf(node));
  const name = node.childForFieldName('name');
  if (node.type === 'method_declaration' && node.childForFieldName('receiver') !== null) {
    const receiver = /(?<!\w)[A-Za-z_]\w*(?=\s*(?:\[[^\][]*\]\s*)?\)$)/.exec(
      node.childForFieldName('receiver')!.text,
    )?.[0];
    return receiver === undefined ? (name?.text ?? '') : `${receiver}.${name?.text ?? ''}`;
  }
  if (name !== null) return oneLine(name.text);
  const declared = declaratorName(node) ?? (outer === undefined ? undefined : declaratorName(outer));
  return declared ?? (oneLine(headOf(node)).slice(0, 80) || node.type);
}

/** C and C++ hide the name below pointers, references and parameter lists. */
function declaratorName(node: Node): string | undefined {
  let at = node.childForFieldName('declarator');
  for (let steps = 0; at !== null && steps < 12; steps += 1) {
    if (/identifier|operator_name|destructor_name|operator_cast/.test(at.type)) return oneLine(at.text);
    at = at.childForFieldName('declarator') ?? at.namedChildren.find((child) => child !== null) ?? null;
  }
  return undefined;
}

/** The text before the body: `impl Display for Point`. */
function headOf(node: Node): string {
  const body = node.childForFieldName('body');
  return body === null ? node.text : node.text.slice(0, body.startIndex - node.startIndex);
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * Back over doc comments, decorators and attributes that stand directly above, and over the line's indentation.
 * (tree-sitter finds a node's sibling by counting from the first: the list is walked here instead.)
 */
function leadingStart(siblings: readonly Node[], index: number, text: string): number {
  let first = siblings[index]!;
  for (let at = index - 1; at >= 0; at -= 1) {
    const before = siblings[at]!;
    const gap = text.slice(before.endIndex, first.startIndex);
    if (!LEADING.has(before.type) || text.startsWith('#!', before.startIndex) || /\S/.test(gap)) break;
    // Some grammars count a line comment's newline to the comment.
    const ended = text[before.endIndex - 1] === '\n' ? 1 : 0;
    if ((gap.match(/\n/g)?.length ?? 0) + ended > 1) break;
    // A comment behind code on the same line belongs to that code.
    if (!startsLine(before, text)) break;
    first = before;
  }
  return startsLine(first, text) ? lineStart(first) : first.startIndex;
}

const lineStart = (node: Node): number => node.startIndex - node.startPosition.column;

const startsLine = (node: Node, text: string): boolean =>
  !/\S/.test(text.slice(lineStart(node), node.startIndex));

/** On over the `;` that ends the statement; back over comments that Python's grammar counts to the block above. */
function trailingEnd(node: Node, text: string, language: CodeLanguage): number {
  let end = node.startIndex + text.slice(node.startIndex, node.endIndex).trimEnd().length;
  while (language.name === 'python') {
    const line = text.lastIndexOf('\n', end - 1) + 1;
    if (line <= node.startIndex || !/^\s*#/.test(text.slice(line, end))) break;
    end = node.startIndex + text.slice(node.startIndex, line).trimEnd().length;
  }
  return end + (/^[ \t]*;/.exec(text.slice(end, end + 20))?.[0].length ?? 0);
}
