/** What a person has to put into settings of their own, so that their sessions begin with the protocol they named. */
import { loadSettings, settingsFile } from "../../config/settings.ts";
import { AppError } from "../../lib/errors.ts";
import type { SessionWanted } from "./plan.ts";

/** Nothing where init wrote it, or the settings say it already. */
export async function sessionNote(root: string, session: SessionWanted | null): Promise<readonly string[]> {
  if (session === null) return [];
  try {
    if ((await loadSettings(root)).session?.protocol === session.protocol) return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error; // doctor says what is wrong with them
  }
  return [
    `put \`session: { protocol: ${session.protocol} }\` into ${settingsFile}: your sessions begin with it`,
  ];
}
