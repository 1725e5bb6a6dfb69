/** Reads the options of a gate from flags, environment and settings: wait time, size of returned logs, notification. */
import { environment, secretValues, variable } from "../../config/env.ts";
import { loadSettings } from "../../config/settings.ts";
import { systemClock } from "../../lib/clock.ts";
import { linkTo } from "../../notify/notice.ts";
import { sendNotice } from "../../notify/send.ts";
import { AppError } from "../../lib/errors.ts";
import type { PlanLocation } from "../find-plan.ts";
import { maxWaitMs } from "./max-wait.ts";
import { commandIn, readText } from "./gate-files.ts";
import { payloadsOf } from "./logs.ts";
import type { GateOptions } from "./wait.ts";

const defaultLogTokens = 10_000;

export interface GateFlags {
  /** Null for the default. */
  readonly waitMs: number | null;
  readonly again: boolean;
  readonly warn: (line: string) => void;
}

export function gateOptions(plan: PlanLocation, { waitMs, again, warn }: GateFlags): GateOptions {
  const { repository } = plan;
  return {
    waitMs: waitMs ?? Math.min(numberFromEnv("BLOCKING_GATE_TIMEOUT_MS") ?? maxWaitMs, maxWaitMs),
    again,
    logTokens: numberFromEnv("MAX_LOGS_TOKENS") ?? defaultLogTokens,
    clock: systemClock,
    payloads: payloadsOf(plan),
    warn,
    async notify({ name, file }) {
      const { notify } = await loadSettings(repository.root);
      if (notify === undefined) return;
      const facts = {
        version: 1,
        kind: "gate",
        gate: name,
        branch: plan.branch,
        file,
        text: `${name} of ${plan.branch} waits for an answer`,
        commands: [
          commandIn(name, (await readText(file)) ?? "") ?? `mettle answer ${name} --set FIELD=VALUE`,
        ],
      };
      const commands = facts.commands.join("\n");
      const notice = {
        facts,
        title: `Mettle: ${facts.text}`,
        text: commands,
        link: linkTo(notify.link, name, name),
      };
      const { root: cwd, path } = repository;
      const secrets = secretValues();
      for (const { way, why } of await sendNotice(notify, notice, { cwd, path, env: environment(), secrets }))
        warn(`notify.${way} failed: ${why}`);
    },
  };
}

function numberFromEnv(name: string): number | null {
  const value = variable(name);
  if (value === null) return null;
  if (/^[0-9]{1,15}$/u.test(value)) return Number(value);
  throw new AppError("usage", `${name} is not a whole number: ${value}`, {
    hint: `unset ${name}, or correct it`,
  });
}
