/** Reads and prints JSON files that init shares with the user. */
import type * as z from "zod";
import { AppError } from "../../lib/errors.ts";

/**
 * The value as it is in the file, so that its keys keep their order.
 * @param kind what the schema accepts, for the error
 * @throws `settings_invalid`
 */
export function readJsonFile<Value>(
  schema: z.ZodType<Value>,
  text: string,
  { file, kind }: { readonly file: string; readonly kind: string },
): Value {
  const hint = `fix ${file} and try again; nothing was changed`;
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/u, ""));
  } catch (cause) {
    throw new AppError("settings_invalid", `${file} is not valid JSON`, { hint, cause });
  }
  if (schema.safeParse(value).success) return value as Value;
  throw new AppError("settings_invalid", `${file} is not ${kind}`, { hint });
}

/** JSON with the indentation and the line end of the text `like`. */
export function printJson(value: object, like: string | null): string {
  const indent = like === null ? "  " : (/\n([ \t]+)\S/u.exec(like)?.[1] ?? "  ");
  return `${JSON.stringify(value, null, indent)}${like === null || /\n\s*$/u.test(like) ? "\n" : ""}`;
}
