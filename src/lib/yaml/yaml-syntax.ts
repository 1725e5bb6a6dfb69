/** Readable message for an error of the YAML parser. @param code the parser's code @param message the parser's message */
export function syntaxMessage(code: string, message: string): string {
  const quoted = /(?:tag: |directive |sequence |character |stream: )(.+)$/u.exec(message)?.[1];
  switch (code) {
    case "DUPLICATE_KEY":
      return "this key is here twice";
    case "MULTIPLE_DOCS":
      return "one document is expected, and here begins another";
    case "RESOURCE_EXHAUSTION":
      // The parser recurses: extreme nesting overflows its stack.
      return "nested too deeply";
    case "BLOCK_AS_IMPLICIT_KEY":
      return "a second key on this line, or one that is indented too far; quote a text that holds a colon";
    case "MULTILINE_IMPLICIT_KEY":
      return "a key is expected here, with a colon behind it on the same line";
    case "MISSING_CHAR":
      return /quote/u.test(message)
        ? "the quote that begins here is never closed"
        : "a colon is missing behind this key";
    case "BAD_INDENT":
      return /end with a ([\]}])/u.test(message)
        ? `the list or mapping before this is not closed by ${message.at(-1) ?? ""}`
        : "this line is not indented as the others of its block";
    case "TAB_AS_INDENT":
      return "a tab indents this line; use spaces";
    case "BAD_SCALAR_START":
      return `a text cannot begin with ${quoted ?? "this sign"} unless it is quoted`;
    case "BAD_DQ_ESCAPE":
      return `there is no escape sequence ${quoted ?? "like this"} between double quotes`;
    case "TAG_RESOLVE_FAILED":
      return quoted === undefined ? "a tag that is not known" : `the tag ${quoted} does not fit here`;
    case "BAD_DIRECTIVE":
      return quoted === undefined ? "a directive that is not known" : `the directive ${quoted} is not known`;
    case "BAD_ALIAS":
    case "ALIAS_PROPS":
      return "an alias that is not written as one, *name";
    case "MULTIPLE_ANCHORS":
      return "a value has two anchors";
    case "MULTIPLE_TAGS":
      return "a value has two tags";
    case "UNEXPECTED_TOKEN":
      return quoted === undefined ? "this is not expected here" : `${quoted} is not expected here`;
    case "BLOCK_IN_FLOW":
      return "a block of lines cannot stand within [ ] or { }";
    case "KEY_OVER_1024_CHARS":
      return "a key has at most 1024 characters";
    case "NON_STRING_KEY":
      return "a key is a text";
    default:
      return "this is no YAML";
  }
}
