/** The demo's run of riper with σ₄ before each append, and when QA and DE were at work. */
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { drive } from "../../src/engine/drive.ts";
import { finishRun, prepareRun } from "../../src/engine/lifecycle.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { openRun } from "../../src/families/open-run.ts";
import type { CassetteFile, DriveResult, World } from "../orchestrate/world.ts";
import { twoCycles } from "./world.ts";

export interface WatchedRun extends DriveResult {
  /** σ₄ when the next event was appended. */
  readonly seen: readonly { readonly after: number; readonly text: string }[];
  /** `begin qa`, `end qa`, `begin de` …, as the agents' processes wrote it. */
  readonly shifts: readonly string[];
}

export async function watchedRun(world: World, protocol: "riper" | "dptr"): Promise<WatchedRun> {
  const cassette = await twoCycles();
  const shifts = join(world.home, "shifts");
  await appendFile(shifts, "");
  for (const role of ["qa", "de"] as const)
    cassette.roles[role] = cassette.roles[role].map((turn) => ({
      ...turn,
      does: [
        { shell: `echo begin ${role} >> '${shifts}'` },
        ...(turn.does ?? []),
        { shell: `echo end ${role} >> '${shifts}'` },
      ],
    }));
  const run = await world.start(cassette as unknown as CassetteFile, { protocol, task: "Add slugify(text)" });
  const seen: { after: number; text: string }[] = [];
  const file = join(world.repository.dir, "memory-bank/activeContext.md");
  const { journal } = world.host;
  const append: typeof journal.append = async (id, after, ...rest) => {
    seen.push({ after, text: await readFile(file, "utf8").catch(() => "") });
    return journal.append(id, after, ...rest);
  };
  const context = await openRun({ ...world.host, journal: { ...journal, append } }, { run });
  await prepareRun(context);
  const end = await drive(context, {
    signal: new AbortController().signal,
    answer: () => Promise.resolve(null),
  });
  await finishRun(context, end);
  return {
    run,
    end,
    context,
    seen,
    shifts: (await readFile(shifts, "utf8")).trim().split("\n"),
    events: (await journal.read(run)).map(recorded),
  };
}
