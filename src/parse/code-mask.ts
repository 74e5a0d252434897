/**
 * C and C++ are read before the preprocessor has run, and macros break the grammar: what they do is blanked out, space
 * for character, so that every offset stays. The text itself is not changed, only what the grammar sees.
 */
export function maskMacros(text: string): string {
  return (
    text
      // A line that is nothing but a macro (`NS_BEGIN`, `Q_OBJECT`, `DEFINE_THING(a, b)`), with no semicolon behind it.
      .replace(/^[ \t]*[A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?[ \t]*$/gm, blank)
      // A macro called where only declarations can stand: at the start of a line, after something that is complete.
      .replace(/(?<=[;}/\n][ \t]*\n)[A-Za-z_]\w*\([^()\n;{}]*\);[ \t]*$/gm, blank)
      // `class LIBRARY_API Name`: the export mark would be taken for the name.
      .replace(
        /\b(class|struct)([ \t]+[A-Z][A-Z0-9_]{3,})(?=[ \t]+[A-Za-z_]\w*\s*(?:final\s*)?[:{])/g,
        (_, word, mark) => word + blank(mark),
      )
      // Parameters declared below their list (C before 1989).
      .replace(
        /(\)[ \t]*\n)((?:[ \t]*(?!return\b|goto\b)[A-Za-z_][\w \t*,[\]()]*;[^\n;{}]*\n)+)(?=[ \t]*\{)/g,
        (_, list, declared) => list + blank(declared),
      )
  );
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
