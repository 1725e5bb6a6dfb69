/** A literal in a text, in a notation that is the same for all languages. */
export interface FoundLiteral {
  /** A string's content; else JSON, with tuples as lists. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** `key` of a table, `compared` with a value or a member of a compared list, `plain` elsewhere. */
  readonly role: "key" | "compared" | "plain";
  /** Start of the table or list around it; null without one. */
  readonly within: number | null;
  /** Whether it is not part of a larger literal. */
  readonly isWhole: boolean;
  /** Whether a call may replace it: not a key, a type or an import. */
  readonly isValue: boolean;
}

/** The same value inside a list or object. */
export function nested(text: string, isString: boolean): string {
  return isString ? JSON.stringify(text) : text;
}

/** The words and numbers of a value, which no way of writing it changes. */
export function wordsOfValue(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}.+-]+/gu, " ").trim();
}

/** Too usual to say where it comes from: one or two characters, words of the language, round numbers. */
export function isUsual(text: string): boolean {
  return (
    text.length < 3 || /^(?:true|false|null|undefined|none|-?10*|-?\d{1,2}|\[.?.?\]|\{\}|NaN)$/i.test(text)
  );
}
