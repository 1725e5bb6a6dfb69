/** Starts the process that reports an approved plan, and waits for its message as long as a hook may. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { packageRoot } from "../config/package-root.ts";
import type { HookDecision } from "./call.ts";
import type { Design } from "./plan-text.ts";

export async function takePlan(checkout: string, design: Design): Promise<HookDecision> {
  const child = spawn(process.execPath, [packageRoot("dist/bin/hook-report-plan.js"), checkout], {
    cwd: checkout,
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.end(JSON.stringify(design));
  const message = await text(child.stdout);
  if (message === "") throw new Error("the approved plan could not be taken");
  return { type: "tell", text: message };
}
