/** Sets fields of a gate's file by a command. */
import { parse } from "yaml";
import * as z from "zod";
import { AppError } from "../../lib/errors.ts";
import { readYaml } from "../front-matter.ts";

export interface SetFieldsInput {
  /** The current text of the file. */
  readonly text: string;
  readonly blank: Readonly<Record<string, unknown>>;
  readonly sets: readonly (readonly [field: string, value: string])[];
  readonly takesLogs: boolean;
}

export interface SetFieldsResult {
  readonly value: unknown;
  /** Null if not given. */
  readonly logs: string | null;
}

export function setFields({ text, blank, sets, takesLogs }: SetFieldsInput): SetFieldsResult {
  const value: Record<string, unknown> = {
    ...readYaml("the gate's file", text, z.record(z.string(), z.unknown())),
    done: true,
  };
  let logs: string | null = null;
  for (const [field, word] of sets) {
    if (field === "logs" && takesLogs) logs = word;
    else setOne({ value, blank: { thoughts: "", done: true, ...blank }, field, word });
  }
  return { value, logs };
}

function setOne({
  value,
  blank,
  field,
  word,
}: {
  readonly value: Record<string, unknown>;
  readonly blank: unknown;
  readonly field: string;
  readonly word: string;
}): void {
  const path = field.split(".");
  const last = path.pop() ?? "";
  let place: unknown = value;
  let form: unknown = blank;
  for (const part of path) {
    place = inside(place, part);
    form = inside(form, part);
  }
  if (place === null || typeof place !== "object" || !Object.hasOwn(place, last))
    throw new AppError("invalid_answer", `${field}: there is no such field`, {
      hint: "the file in user_feedback shows the fields; parts of a name are joined with dots",
    });
  // A field that is a text in the blank form stays a text.
  const isText = typeof inside(form, last) === "string";
  Object.defineProperty(place, last, {
    value: isText ? word : scalar(word),
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

function inside(place: unknown, part: string): unknown {
  if (place === null || typeof place !== "object" || !Object.hasOwn(place, part)) return undefined;
  return Object.getOwnPropertyDescriptor(place, part)?.value;
}

/** `true` becomes a boolean, `maybe` stays a string. */
function scalar(word: string): unknown {
  try {
    const value: unknown = parse(word);
    return typeof value === "boolean" ? value : word;
  } catch {
    return word;
  }
}
