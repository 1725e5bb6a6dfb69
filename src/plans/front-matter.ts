/** Reads and writes Markdown with YAML front matter. Written values are read back byte for byte. */
import { Document, visit } from "yaml";
import * as z from "zod";
import { AppError } from "../lib/errors.ts";
import { frontMatterOf } from "../lib/front-matter.ts";
import { checkValue, parseYaml, yamlError } from "../lib/yaml/yaml-document.ts";

export interface FrontMatterDocument<T> {
  readonly fields: T;
  /** The text below the front matter. */
  readonly body: string;
}

export function readDocument<T>(file: string, text: string, schema: z.ZodType<T>): FrontMatterDocument<T> {
  const found = frontMatterOf(text);
  if (found === null)
    throw yamlError("invalid_yaml", [
      { file, line: 1, column: 1, path: [], message: "no front matter between two lines ---" },
    ]);
  // The empty line keeps the line numbers.
  return { fields: readYaml(file, `\n${found.yaml}`, schema), body: found.body.replace(/^\r?\n/u, "") };
}

/** Throws `invalid_yaml` for a syntax error, `invalid_schema` for wrong fields. */
export function readYaml<T>(
  file: string,
  text: string,
  schema: z.ZodType<T>,
  mostBytes = defaultMaxBytes,
): T {
  const document = parseYaml({ file, text }, anyValue, "invalid_yaml", { mostBytes });
  return checkValue(document, schema, "invalid_schema");
}

export function writeDocument({ fields, body }: FrontMatterDocument<object>): string {
  return checkSize(`---\n${toYaml(fields)}---\n\n${body}`);
}

/** Does not fold long lines, so that texts can be searched. */
export function toYaml(fields: object, mostBytes = defaultMaxBytes): string {
  const document = new Document(fields, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === "string" && !fitsBlockScalar(node.value)) node.type = "QUOTE_DOUBLE";
    },
  });
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
  return checkSize(text, mostBytes);
}

/** Whether a block scalar preserves the text: the library drops some blanks at line ends. */
function fitsBlockScalar(text: string): boolean {
  return !/^\s|[^\S\n](\n|$)|\n{2,}$|[^\P{C}\n\t]|[\u2028\u2029]/u.test(text);
}

const anyValue = z.unknown();

const mib = 1024 * 1024;
/** The largest file that is written, and therefore read. */
export const defaultMaxBytes = mib;

function checkSize(text: string, mostBytes = defaultMaxBytes): string {
  if (Buffer.byteLength(text) <= mostBytes) return text;
  throw new AppError("text_too_large", `the file would be larger than ${mostBytes / mib} MiB`, {
    hint: "name files instead of quoting them",
  });
}
