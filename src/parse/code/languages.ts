/**
 * The languages whose functions and classes become sections: the grammar that reads them (of `@vscode/tree-sitter-wasm`)
 * and which of its nodes are declarations. C is read with C++'s grammar, which knows all of C but a few names.
 */
export interface CodeLanguage {
  readonly name: string;
  readonly grammar: string;
  readonly extensions: readonly string[];
  /** Declarations with a body that is not searched further, unless it is long: functions, methods. */
  readonly functions: ReadonlySet<string>;
  /** Declarations whose members are declarations too: classes, modules, namespaces. */
  readonly containers: ReadonlySet<string>;
  /** Wrappers that belong to the declaration inside them: exports, decorators, templates. */
  readonly wrappers: ReadonlySet<string>;
  /** What may hold declarations without being one: conditional parts, lists of members. */
  readonly passages: ReadonlySet<string>;
}

const set = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/).filter(Boolean));

const SCRIPT = {
  functions: set(`function_declaration generator_function_declaration function_signature method_definition
    abstract_method_signature`),
  containers: set(`class_declaration abstract_class_declaration interface_declaration enum_declaration class
    internal_module module type_alias_declaration`),
  wrappers: set('export_statement ambient_declaration'),
  passages:
    set(`program class_body statement_block expression_statement if_statement else_clause try_statement
    parenthesized_expression call_expression arguments function_expression arrow_function unary_expression
    assignment_expression object`),
};

export const CODE_LANGUAGES: readonly CodeLanguage[] = [
  { name: 'typescript', grammar: 'typescript', extensions: ['.ts', '.mts', '.cts'], ...SCRIPT },
  { name: 'tsx', grammar: 'tsx', extensions: ['.tsx'], ...SCRIPT },
  { name: 'javascript', grammar: 'javascript', extensions: ['.js', '.mjs', '.cjs', '.jsx'], ...SCRIPT },
  {
    name: 'python',
    grammar: 'python',
    extensions: ['.py', '.pyi', '.pyw'],
    functions: set('function_definition'),
    containers: set('class_definition'),
    wrappers: set('decorated_definition'),
    passages: set(
      'module block if_statement elif_clause else_clause try_statement except_clause finally_clause with_statement',
    ),
  },
  {
    name: 'go',
    grammar: 'go',
    extensions: ['.go'],
    functions: set('function_declaration method_declaration type_spec type_alias'),
    containers: set(''),
    wrappers: set('type_declaration'),
    passages: set('source_file'),
  },
  {
    name: 'rust',
    grammar: 'rust',
    extensions: ['.rs'],
    functions: set('function_item function_signature_item struct_item enum_item union_item macro_definition'),
    containers: set('impl_item trait_item mod_item'),
    wrappers: set(''),
    passages: set('source_file declaration_list'),
  },
  {
    name: 'java',
    grammar: 'java',
    extensions: ['.java'],
    functions: set('method_declaration constructor_declaration compact_constructor_declaration'),
    containers: set(`class_declaration interface_declaration enum_declaration record_declaration
      annotation_type_declaration`),
    wrappers: set(''),
    passages: set('program class_body interface_body enum_body enum_body_declarations annotation_type_body'),
  },
  ...['c', 'cpp'].map((name) => ({
    name,
    grammar: 'cpp',
    extensions: name === 'c' ? ['.c', '.h'] : ['.cpp', '.cc', '.cxx', '.hpp', '.hh', '.hxx', '.ipp', '.cu'],
    functions: set('function_definition'),
    containers: set('class_specifier struct_specifier union_specifier enum_specifier namespace_definition'),
    wrappers: set('template_declaration type_definition declaration field_declaration friend_declaration'),
    passages: set(`translation_unit declaration_list field_declaration_list linkage_specification preproc_if
      preproc_ifdef preproc_else preproc_elif preproc_elifdef`),
  })),
  {
    name: 'csharp',
    grammar: 'c-sharp',
    extensions: ['.cs'],
    functions: set(`method_declaration constructor_declaration destructor_declaration operator_declaration
      conversion_operator_declaration local_function_statement delegate_declaration`),
    containers:
      set(`class_declaration struct_declaration interface_declaration enum_declaration record_declaration
      record_struct_declaration namespace_declaration`),
    wrappers: set('global_statement'),
    passages: set(`compilation_unit declaration_list file_scoped_namespace_declaration preproc_if preproc_else
      preproc_elif preproc_region`),
  },
  {
    name: 'ruby',
    grammar: 'ruby',
    extensions: ['.rb', '.rake', '.gemspec'],
    functions: set('method singleton_method'),
    containers: set('class module singleton_class'),
    wrappers: set(''),
    passages: set('program body_statement if unless begin then else'),
  },
  {
    name: 'php',
    grammar: 'php',
    extensions: ['.php', '.phtml'],
    functions: set('function_definition method_declaration'),
    containers: set('class_declaration interface_declaration trait_declaration enum_declaration'),
    wrappers: set(''),
    passages:
      set(`program declaration_list enum_declaration_list namespace_definition compound_statement if_statement
      else_clause`),
  },
  {
    name: 'bash',
    grammar: 'bash',
    extensions: ['.sh', '.bash', '.zsh', '.ksh', '.bats'],
    functions: set('function_definition'),
    containers: set(''),
    wrappers: set(''),
    passages:
      set(`program if_statement else_clause elif_clause compound_statement list case_statement case_item
      redirected_statement`),
  },
];

/** Read as code, cut between lines, but without sections: no grammar is at hand, or it has no functions. */
export const PLAIN_CODE: Readonly<Record<string, string>> = {
  '.kt': 'kotlin',
  '.kts': 'kotlin',
  '.swift': 'swift',
  '.scala': 'scala',
  '.dart': 'dart',
  '.lua': 'lua',
  '.pl': 'perl',
  '.pm': 'perl',
  '.r': 'r',
  '.jl': 'julia',
  '.ex': 'elixir',
  '.exs': 'elixir',
  '.erl': 'erlang',
  '.hs': 'haskell',
  '.clj': 'clojure',
  '.groovy': 'groovy',
  '.gradle': 'groovy',
  '.m': 'objective-c',
  '.mm': 'objective-c',
  '.vb': 'vb',
  '.fs': 'fsharp',
  '.zig': 'zig',
  '.sql': 'sql',
  '.css': 'css',
  '.scss': 'scss',
  '.less': 'less',
  '.ps1': 'powershell',
  '.bat': 'batch',
  '.proto': 'protobuf',
  '.graphql': 'graphql',
  '.tf': 'terraform',
  '.vue': 'vue',
  '.svelte': 'svelte',
  '.asm': 'assembly',
  '.s': 'assembly',
  '.ini': 'ini',
  '.cfg': 'ini',
  '.conf': 'conf',
  '.properties': 'properties',
  '.toml': 'toml',
  '.cmake': 'cmake',
  '.mk': 'makefile',
  '.diff': 'diff',
  '.patch': 'diff',
};

export const CODE_EXTENSIONS: readonly string[] = [
  ...CODE_LANGUAGES.flatMap(({ extensions }) => extensions),
  ...Object.keys(PLAIN_CODE),
];

const SHEBANGS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:ba|z|k|da)?sh\b/, 'bash'],
  [/\bpython[\d.]*\b/, 'python'],
  [/\b(?:node|deno|bun)\b/, 'javascript'],
  [/\b(?:ts-node|tsx)\b/, 'typescript'],
  [/\bruby\b/, 'ruby'],
  [/\bphp\b/, 'php'],
];

/** The language a script's first line names (`#!/usr/bin/env python3`). */
export function shebangLanguage(firstLine: string): string | undefined {
  if (!firstLine.startsWith('#!')) return undefined;
  return SHEBANGS.find(([pattern]) => pattern.test(firstLine))?.[1];
}
