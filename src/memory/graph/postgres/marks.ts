import { checksum } from "../../../journal/checksum.ts";

/**
 * Texts as the tables hold them: JSON strings, since a text of PostgreSQL has no NUL, and checksums by which they are found, since an
 * index of PostgreSQL takes no long text.
 */
export function marked(texts: readonly string[]): {
  readonly json: readonly string[];
  readonly marks: readonly number[];
} {
  const json = texts.map((text) => JSON.stringify(text));
  return { json, marks: json.map((text) => checksum(text)) };
}
