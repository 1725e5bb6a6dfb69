/** What the run of a test runner may not claim. Pure. */
import { runners } from "../runners/registry.ts";
import type { Claim, ClaimRule } from "./claim.ts";

export const runRules: Readonly<Record<string, ClaimRule>> = { runner_command };

/** The command must start the runner that the record names. */
function runner_command({ record: { runner, argv }, gate }: Claim): string | null {
  if (runner === null || gate !== null) return null;
  const known = runners[runner.name];
  if (known === undefined) return `no test runner is called ${runner.name}`;
  const { entry } = known;
  const other = Object.values(runners).find(
    (one) => one !== known && one.entry !== null && argv.some((word) => isEntry(word, one.entry ?? "")),
  );
  if (other !== undefined) return `it names the runner ${runner.name}, but its command starts ${other.name}`;
  const name = entry?.split("/").at(-1);
  return name === undefined || argv.some((word) => word.split("/").at(-1) === name)
    ? null
    : `it names the runner ${runner.name}, but its command does not start it`;
}

function isEntry(word: string, entry: string): boolean {
  return word === entry || word.endsWith(`/${entry}`);
}
