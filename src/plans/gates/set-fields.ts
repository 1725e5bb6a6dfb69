/** The fields of a gate's file with some of them set by a command. */
import { parse } from "yaml";
import { z } from "zod";
import { AppError } from "../../lib/errors.ts";
import { readYaml } from "../front-matter.ts";

export interface SetFieldsInput {
  /** The file as it stands. */
  readonly text: string;
  readonly blank: Readonly<Record<string, unknown>>;
  readonly sets: readonly (readonly [field: string, value: string])[];
  readonly takesLogs: boolean;
}

export interface SetFieldsResult {
  readonly value: unknown;
  /** Null where they were not given. */
  readonly logs: string | null;
}

export function setFields({ text, blank, sets, takesLogs }: SetFieldsInput): SetFieldsResult {
  const value: Record<string, unknown> = {
    ...readYaml("the gate's file", text, z.record(z.string(), z.unknown())),
    done: true,
  };
  let logs: string | null = null;
  for (const [field, said] of sets) {
    if (field === "logs" && takesLogs) logs = said;
    else setOne({ value, blank: { thoughts: "", done: true, ...blank }, field, said });
  }
  return { value, logs };
}

function setOne({
  value,
  blank,
  field,
  said,
}: {
  readonly value: Record<string, unknown>;
  readonly blank: unknown;
  readonly field: string;
  readonly said: string;
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
  // What is a text in the form stays one, whatever it says.
  const isText = typeof inside(form, last) === "string";
  Object.defineProperty(place, last, {
    value: isText ? said : scalar(said),
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

function inside(place: unknown, part: string): unknown {
  if (place === null || typeof place !== "object" || !Object.hasOwn(place, part)) return undefined;
  return Object.getOwnPropertyDescriptor(place, part)?.value;
}

/** `true` is a truth value, `maybe` a word. */
function scalar(said: string): unknown {
  try {
    const value: unknown = parse(said);
    return typeof value === "boolean" ? value : said;
  } catch {
    return said;
  }
}
