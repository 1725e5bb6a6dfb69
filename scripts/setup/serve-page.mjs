// Serves the built page of a state home to browsers that measure it or take its picture; nothing can be decided in it.
import { join } from "node:path";
import { root } from "./root.mjs";

/** @returns its address, which works once, and what ends it */
export async function servePageOf(home) {
  const { servePage } = await import("../../dist/lib/ui/serve.js");
  const { systemClock } = await import("../../dist/lib/lib/clock.js");
  const nobody = () => Promise.reject(new Error("nobody decides here"));
  return servePage({
    port: 0,
    stateRoot: home,
    env: { ...process.env, METTLE_HOME: home },
    clock: systemClock,
    version: "0.0.0",
    folder: join(root, "dist/page"),
    deciders: { decide: nobody, answerGate: nobody },
    signal: new AbortController().signal,
    warn: () => undefined,
  });
}
