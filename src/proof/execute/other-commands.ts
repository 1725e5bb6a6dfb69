/**
 * Handles a test script of several parts, e.g. `vitest run && playwright test`. A package has one runner with one
 * configuration in its proofs. Tests that only other parts run are in no verdict, so each verdict is in doubt and names them
 * (PRV-04).
 */
import { join } from "node:path";
import { canonicalJson } from "../../lib/hash.ts";
import { AppError } from "../../lib/errors.ts";
import { runners } from "../../evidence/runners/registry.ts";
import { shortList } from "../../gates/check.ts";
import { keptArguments } from "../project/kept-arguments.ts";
import { locateRunner } from "../project/locate-runner.ts";
import { projectIn } from "../project/project.ts";
import { configOf } from "../protected.ts";
import { commandText, type TestCommand } from "../project/test-command.ts";
import type { ProofPackage, ProofSetting } from "../proof-package.ts";

export interface OtherTests {
  /** Files of parts that start the package's own runner in the same way: they run with the first part's files. */
  readonly files: readonly string[];
  readonly doubts: readonly string[];
}

export interface OtherTestsRequest {
  readonly setting: ProofSetting;
  /** Files of the first part. */
  readonly known: ReadonlySet<string>;
  list(one: ProofPackage): Promise<{ readonly files: readonly string[]; readonly doubt: string | null }>;
}

export async function otherTests(
  one: ProofPackage,
  { setting, known, list }: OtherTestsRequest,
): Promise<OtherTests> {
  const files = new Set<string>();
  const doubts: string[] = [];
  for (const command of one.setup.others) {
    const other = await asPackage(setting, one, command);
    if (typeof other === "string") {
      doubts.push(other);
      continue;
    }
    const { files: all, doubt } = await list(other);
    if (doubt !== null) doubts.push(doubt);
    const more = all.filter((file) => !known.has(file) && !files.has(file));
    if (more.length === 0) continue;
    if (startsAlike(one, command)) for (const file of more) files.add(file);
    else doubts.push(`${alsoRunsText(command)} (${shortList(more)}), which no proof executes`);
  }
  return { files: [...files], doubts };
}

/** The text shown to people, here and where the base is refused. */
export function alsoRunsText(command: TestCommand): string {
  return `the test script also runs \`${commandText(command)}\``;
}

/** How a person accepts that the part is not judged. */
export function acceptanceHint(command: TestCommand): string {
  return `\`tests: { unjudged: ["${commandText(command)}"] }\` in mettle.yaml accepts that it is not judged; each verdict then names it`;
}

/** The package as this part of the script runs it, or the reason why that is unknown. */
async function asPackage(
  { ports, base }: ProofSetting,
  one: ProofPackage,
  command: TestCommand,
): Promise<ProofPackage | string> {
  const { prefix, inner, setup } = one;
  const { runner, config: named } = command;
  if (runners[runner] === undefined) return `${alsoRunsText(command)}, which no runner of Mettle can execute`;
  const own = projectIn(base, prefix, inner);
  const isOwn = runner === one.found.name;
  const found = isOwn ? one.found : await locateRunner(ports.repository, own, runner).catch(unlocated);
  if (found === null) return `${alsoRunsText(command)}, and ${runner} is not installed`;
  const isThere = named !== null && base.files.has(join(prefix, named));
  return {
    ...one,
    found,
    config: isThere ? join(named) : isOwn && named === null ? one.config : await configOf(own, runner),
    setup: {
      ...setup,
      env: { ...setup.env, ...command.env },
      loaders: command.loaders,
      listArgs: command.args,
      others: [],
    },
  };
}

function unlocated(error: unknown): null {
  if (error instanceof AppError) return null;
  throw error;
}

/** Whether a file of another part runs the same when it runs with the first part's files. */
function startsAlike({ found, setup }: ProofPackage, command: TestCommand): boolean {
  const { first } = setup;
  return first !== null && found.name === command.runner && startOptions(first) === startOptions(command);
}

function startOptions({ runner, env, envFiles, loaders, config, args }: TestCommand): string {
  return canonicalJson({ env, envFiles, loaders, config, args: keptArguments(runner, args) });
}
