/** What this host offers: the agents on PATH, its system and its languages, and what its operator adds. */
import { findProgram } from "../process/find-program.ts";
import { AppError } from "../lib/errors.ts";
import { maxLabels, type Offer } from "./queues.ts";

export interface OfferRequest {
  readonly path: string;
  readonly platform: string;
  /** Of the operator. */
  readonly labels: readonly string[];
  readonly agents: readonly string[];
}

/** @throws usage if there are too many labels */
export async function offerHere({ path, platform, labels, agents }: OfferRequest): Promise<Offer> {
  const found = async (programs: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const paths = await Promise.all(Object.values(programs).map((program) => findProgram(program, path)));
    return Object.keys(programs).filter((_, at) => paths[at] !== null);
  };
  const offered = [...new Set([platform, ...(await found(labelPrograms)), ...labels])];
  if (offered.length > maxLabels)
    throw new AppError(
      "usage",
      `a worker has at most ${maxLabels} labels, not ${offered.length}: ${offered.join(", ")}`,
      {
        hint: "name fewer --label",
      },
    );
  return { labels: offered, agents: ["scripted", ...(await found(agentPrograms)), ...agents] };
}

/** Label -> the program that shows it. */
const labelPrograms = { sandbox: "bwrap", python: "python3", go: "go", rust: "cargo", bun: "bun" };
const agentPrograms = { claude: "claude", codex: "codex", gemini: "gemini", opencode: "opencode" };
