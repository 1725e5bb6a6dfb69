/**
 * Without a sandbox nothing keeps an agent or a test from writing into the installed dependencies, so a proof looks whether
 * one of their files changed since the run began (CORE-45). The kernel sets the time of a change (ctime); a program without
 * rights over the clock cannot set it back.
 */
import { access, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { allNeeds } from "../../config/test-variables.ts";
import { AppError } from "../../lib/errors.ts";
import { run } from "../../process/run.ts";
import { isConfined } from "../execute/start-program.ts";
import type { FoundRunner } from "../project/locate-runner.ts";
import type { ProofPorts } from "../ports.ts";
import type { Checkout } from "./checkout.ts";
import { isModule } from "./link-modules.ts";

/** Written by tools in ordinary work. */
const caches = [".cache", ".tmp", ".vite", ".vite-temp", ".vitest", "__pycache__"];

/**
 * Looks once through the folders with `find`. Commands that prepare a checkout may write there without a sandbox; then nothing is
 * known.
 * @throws dependencies_changed, naming the first changed file
 */
export async function refuseChangedDependencies(
  ports: ProofPorts,
  { dependencies, scratch }: Pick<Checkout, "dependencies" | "scratch">,
  runners: readonly FoundRunner[],
): Promise<void> {
  const { dependenciesSince: since, tests, repository } = ports;
  if (since === undefined || allNeeds(tests).some(({ prepare = [] }) => prepare.length > 0)) return;
  const folders = await installedFolders(dependencies, runners);
  if (folders.length === 0 || (await isConfined(ports))) return;
  const mark = join(scratch, "since");
  await writeFile(mark, "");
  await utimes(mark, since / 1000, since / 1000);
  const pruned = caches.flatMap((name, at) => [...(at === 0 ? [] : ["-o"]), "-name", name]);
  // A link that another project makes to the same file, as pnpm does, changes only the ctime.
  const file = ["-type", "f", "(", "-links", "1", "-o", "-newer", mark, ")"];
  const changed = ["-newercm", mark, "(", ...file, "-o", "-type", "l", ")", "-print", "-quit"];
  const argv = [...folders, "(", ...pruned, ")", "-prune", "-o", ...changed];
  const env = { PATH: repository.path };
  const found = await run("find", argv, { cwd: "/", env, timeoutMs: 60_000, keepBytes: 4096 });
  const [first = ""] = found.stdout.toString("utf8").split("\n");
  if (first === "") return;
  throw new AppError(
    "dependencies_changed",
    `${first} changed while nothing confined agents and tests, so no proof can rely on the dependencies`,
    {
      hint: "install the dependencies again; then the command again, or `mettle resume`, takes them as they are",
    },
  );
}

/** Folders with installed packages, and virtual environments of Python. Linked projects are the user's own work. */
async function installedFolders(
  dependencies: readonly string[],
  runners: readonly FoundRunner[],
): Promise<readonly string[]> {
  const prefixes = runners.flatMap(({ runner, program }) =>
    runner.program === "python3" && program !== null ? [dirname(dirname(program.path))] : [],
  );
  const places = [
    ...dependencies.filter(isModule).map((folder) => [folder, folder] as const),
    ...prefixes.map((folder) => [folder, join(folder, "pyvenv.cfg")] as const),
  ];
  const there = await Promise.all(
    places.map(([folder, witness]) =>
      access(witness).then(
        () => [folder],
        () => [], // nothing is installed there
      ),
    ),
  );
  return [...new Set(there.flat())];
}
