/** If several test runners are possible, asks the person at the terminal once and writes the answer to mettle.yaml. */
import { join } from "node:path";
import { parseDocument } from "yaml";
import * as z from "zod";
import { parseSettings } from "../config/settings.ts";
import { settingsFile } from "../config/settings-file.ts";
import { readOwnFile } from "../config/own-file.ts";
import { AppError } from "../lib/errors.ts";
import { writeAtomically } from "../lib/files.ts";
import type { Io } from "./command.ts";
import { discardTypeAhead } from "./prompt/terminal-prompt.ts";
import { requirePerson } from "../channel/person.ts";

/** The detail of `runner_ambiguous`; without a package it is about the whole repository. */
const Ambiguity = z.object({ candidates: z.array(z.string()).min(2), package: z.string().optional() });
type Ambiguity = z.infer<typeof Ambiguity>;

/** @param root the folder of mettle.yaml */
export async function withChosenRunners<T>(io: Io, root: string, start: () => Promise<T>): Promise<T> {
  // Each answer settles one package, so the loop ends.
  for (;;) {
    try {
      return await start();
    } catch (error) {
      const ambiguous = error instanceof AppError && error.code === "runner_ambiguous" ? error : null;
      const ambiguity = Ambiguity.safeParse(ambiguous?.detail);
      if (ambiguous === null || !io.interactive || !ambiguity.success) throw error;
      requirePerson();
      const runner = await choose(ambiguous.message, ambiguity.data);
      if (runner === null) throw error;
      await pin(root, ambiguity.data, runner);
      io.print(
        `${settingsFile} names ${runner}${packageSuffix(ambiguity.data)}; commit it, so that others need not answer`,
      );
    }
  }
}

/** Null if the person cancels. */
async function choose(message: string, { candidates }: Ambiguity): Promise<string | null> {
  const { isCancel, select } = await import("@clack/prompts");
  if ((await discardTypeAhead()) === "cancelled") return null;
  const chosen = await select({
    message,
    options: candidates.map((name) => ({ value: name, label: name })),
  });
  return isCancel(chosen) ? null : chosen;
}

function packageSuffix({ package: folder }: Ambiguity): string {
  return folder === undefined ? "" : ` for ${folder === "." ? "the root" : folder}`;
}

/** Keeps the rest of the file, comments too. */
async function pin(root: string, { package: folder }: Ambiguity, runner: string): Promise<void> {
  const before = (await readOwnFile(root, settingsFile))?.toString("utf8") ?? "version: 1\n";
  const document = parseDocument(before);
  document.setIn(folder === undefined ? ["runner"] : ["packages", folder], runner);
  const text = document.toString({ lineWidth: 0 });
  parseSettings(text);
  await writeAtomically(join(root, settingsFile), text, { followsLink: true });
}
