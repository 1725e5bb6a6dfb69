/** Where several test runners are possible the person at the terminal is asked once, and mettle.yaml keeps the answer. */
import { join } from "node:path";
import { parseDocument } from "yaml";
import { z } from "zod";
import { parseSettings, settingsFile } from "../config/settings.ts";
import { readOwnFile } from "../config/own-file.ts";
import { AppError } from "../lib/errors.ts";
import { writeWhole } from "../lib/files.ts";
import type { Io } from "./command.ts";
import { dropTypedAhead } from "./typed-word.ts";
import { requirePerson } from "../channel/person.ts";

/** What `runner_ambiguous` tells; the package is missing where the repository is one. */
const Ambiguity = z.object({ candidates: z.array(z.string()).min(2), package: z.string().optional() });
type Ambiguity = z.infer<typeof Ambiguity>;

/** @param root of the repository, where mettle.yaml lies */
export async function withRunners<Value>(io: Io, root: string, start: () => Promise<Value>): Promise<Value> {
  // Each answer names a package for good, so the rounds come to an end.
  for (;;) {
    try {
      return await start();
    } catch (error) {
      const asked = error instanceof AppError && error.code === "runner_ambiguous" ? error : null;
      const ambiguity = Ambiguity.safeParse(asked?.detail);
      if (asked === null || !io.interactive || !ambiguity.success) throw error;
      requirePerson();
      const runner = await choose(asked.message, ambiguity.data);
      if (runner === null) throw error;
      await pin(root, ambiguity.data, runner);
      io.say(
        `${settingsFile} names ${runner}${where(ambiguity.data)}; commit it, so that others are not asked`,
      );
    }
  }
}

/** Null where the person would rather not say. */
async function choose(message: string, { candidates }: Ambiguity): Promise<string | null> {
  const { isCancel, select } = await import("@clack/prompts");
  if ((await dropTypedAhead()) === "cancelled") return null;
  const chosen = await select({
    message,
    options: candidates.map((name) => ({ value: name, label: name })),
  });
  return isCancel(chosen) ? null : chosen;
}

function where({ package: folder }: Ambiguity): string {
  return folder === undefined ? "" : ` for ${folder === "." ? "the root" : folder}`;
}

/** What a person wrote stays as it is, comments too. */
async function pin(root: string, { package: folder }: Ambiguity, runner: string): Promise<void> {
  const before = (await readOwnFile(root, settingsFile))?.toString("utf8") ?? "version: 1\n";
  const document = parseDocument(before);
  document.setIn(folder === undefined ? ["runner"] : ["packages", folder], runner);
  const text = document.toString({ lineWidth: 0 });
  parseSettings(text);
  await writeWhole(join(root, settingsFile), text, { followsLink: true });
}
