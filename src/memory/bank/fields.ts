/** Reads and writes fields of the memory bank's files; the rest of a file stays unchanged. An approved design is written to σ₂. */
import { AppError } from "../../lib/errors.ts";
import { memoryNames, type MemoryNumber } from "../../notation/memory-reference.ts";
import { changeFile } from "./change-file.ts";
import { partsNamed } from "./document.ts";
import { appendField, replacePart } from "./edit.ts";
import { memoryPath, readMemoryFile } from "./files.ts";
import { templateOf } from "./templates.ts";

/** @param values new texts by field name; a new field is added at the end, a missing file is created */
export async function writeFields(
  root: string,
  memory: MemoryNumber,
  values: Readonly<Record<string, string>>,
): Promise<{ readonly written: boolean }> {
  return changeFile(root, memoryPath(memory), (before) => {
    const text = before === null ? templateOf(memory) : before.toString("utf8");
    if (before !== null && !Buffer.from(text).equals(before)) throw notText(memoryPath(memory));
    let after = text;
    for (const [name, value] of Object.entries(values))
      after = withField({ memory, text: after, name, value });
    return Buffer.from(after);
  });
}

/** The current texts of fields; null if a field is missing or defined twice. */
export async function readFields<Name extends string>(
  root: string,
  memory: MemoryNumber,
  names: readonly Name[],
): Promise<Readonly<Record<Name, string | null>>> {
  const text = (await readMemoryFile(root, memoryPath(memory)))?.text ?? "";
  const entries = names.map((name) => {
    const parts = partsNamed(text, name);
    return [name, parts.length === 1 ? (parts[0]?.text ?? null) : null] as const;
  });
  return Object.fromEntries(entries) as Record<Name, string | null>;
}

interface NewField {
  readonly memory: MemoryNumber;
  readonly text: string;
  readonly name: string;
  readonly value: string;
}

function withField({ memory, text, name, value }: NewField): string {
  const parts = partsNamed(text, name);
  const [only] = parts;
  if (only === undefined) return appendField(text, name, value);
  if (parts.length === 1) return replacePart(text, only, value);
  const lines = parts.map(({ line }) => line).join(", ");
  throw new AppError(
    "bad_reference",
    `${memoryNames[memory]}.${name} is defined more than once: lines ${lines}`,
    {
      hint: `keep one of them in ${memoryPath(memory)}`,
    },
  );
}

function notText(path: string): AppError {
  return new AppError("memory_unreadable", `${path} is not UTF-8 text`, {
    hint: "save it as UTF-8; nothing was written",
  });
}
