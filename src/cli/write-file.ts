/** Writes a file that a person named with an option. */
import { writeFile } from "node:fs/promises";
import { AppError } from "../lib/errors.ts";

/** @throws usage */
export async function writeNamedFile(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch((cause: unknown) => {
    throw new AppError("usage", `${file} cannot be written`, {
      hint: "name a file in an existing folder",
      cause,
    });
  });
}
