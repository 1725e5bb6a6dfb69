/** A task that names no protocol goes to that of the settings (part of SEE-10). */
import { expect, test } from "vitest";
import { createWorld, untestedFiles } from "../orchestrate/world.ts";
import { callIn } from "./here.ts";

test("`mettle run TASK` says in one line which protocol it starts, and how to take another", async () => {
  const world = await createWorld({ ...(await untestedFiles()), ".gitignore": "mettle.yaml\n" });
  const start = async (settings: string, ...more: readonly string[]) => {
    await world.repository.write({ "mettle.yaml": `version: 1\n${settings}` });
    return (await callIn(world, ["run", "Add a discount", "--agent", "scripted:none.yaml", ...more])).stderr;
  };
  const usual = /^protocol: (\S+) \(--protocol NAME, or `protocol` in mettle.yaml, takes another\)\n/u;
  expect(usual.exec(await start(""))?.[1]).toBe("orchestrate");
  expect(usual.exec(await start("protocol: riper\n"))?.[1]).toBe("riper");
  expect(await start("", "--protocol", "riper")).not.toContain("protocol:");
  expect(await start("protocol: ripper\n")).toContain(
    "error[protocol_unknown]: there is no protocol ripper\n",
  );
});
