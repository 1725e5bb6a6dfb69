/** Runs all checks at once, each with a timeout, and returns their findings in a fixed order. */
import { AppError } from "../../lib/errors.ts";
import { agents } from "./agents.ts";
import { branch } from "./branch.ts";
import type { DoctorCheck, DoctorFinding, DoctorContext } from "./check.ts";
import { cleanUp } from "./clean-up.ts";
import { envoy } from "./envoy.ts";
import { git } from "./git.ts";
import { hooks } from "./hooks.ts";
import { node } from "./node.ts";
import { repository } from "./repository.ts";
import { runner } from "./runner.ts";
import { sandbox } from "./sandbox.ts";
import { settings } from "./settings.ts";
import { stateHome } from "./state-home.ts";
import { store } from "./store.ts";

/** A new check is one file and one line here. */
export const checks: readonly DoctorCheck[] = [
  node,
  git,
  repository,
  settings,
  branch,
  runner,
  agents,
  sandbox,
  hooks,
  envoy,
  stateHome,
  store,
  cleanUp,
];

const boundMs = 45_000;

export async function examine(
  context: DoctorContext,
  all = checks,
  ms = boundMs,
): Promise<readonly DoctorFinding[]> {
  const found = await Promise.all(
    all.map(async (check) => {
      const findings = await bounded(check, context, ms);
      return findings.map((finding) => ({ name: check.name, ...finding }));
    }),
  );
  return found.flat();
}

async function bounded(
  check: DoctorCheck,
  context: DoctorContext,
  ms: number,
): ReturnType<DoctorCheck["examine"]> {
  const state = check.needed ? "fail" : "warn";
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Awaited<ReturnType<DoctorCheck["examine"]>>>((resolve) => {
    const seen = `no answer within ${ms / 1000} s`;
    timer = setTimeout(() => resolve([{ state, seen, help: "try again: mettle doctor" }]), ms);
  });
  try {
    return await Promise.race([check.examine(context), late]);
  } catch (error) {
    const seen = error instanceof Error ? error.message : String(error);
    const help = error instanceof AppError ? error.hint : "fix it, then try again: mettle doctor";
    return [{ state, seen, help }];
  } finally {
    clearTimeout(timer);
  }
}
