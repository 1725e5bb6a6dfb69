/** Linux and macOS are supported; on native Windows every command fails with a hint. */
import { afterEach, expect, vi } from "vitest";
import { EvidenceRecord } from "../../src/evidence/record.ts";
import { main } from "../../src/cli/run-command.ts";
import { program } from "../../src/cli/table.ts";
import { namesOf } from "../../src/lib/command-line/help.ts";
import { createWorld, eventsOf, golden, answerOnly } from "../orchestrate/world.ts";
import { verifies, verifiesInCi } from "../verifies.ts";

const commands = Object.fromEntries(namesOf(program));

const here = Object.getOwnPropertyDescriptor(process, "platform") ?? {};
afterEach(() => void Object.defineProperty(process, "platform", here));
const pretend = (platform: NodeJS.Platform) =>
  Object.defineProperty(process, "platform", { value: platform });

verifies(
  "CORE-102",
  "on native Windows each command ends with exit 5 and the hint to use WSL 2",
  async () => {
    pretend("win32");
    const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const err = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const codes: Record<string, number> = {};
    try {
      for (const name of Object.keys(commands)) codes[name] = await main([name]);
      expect(Object.values(codes)).toEqual(Object.keys(commands).map(() => 5));
      expect(out.mock.calls).toEqual([]);
      const lines = err.mock.calls.map(([text]) => text);
      expect(lines).toEqual(
        Object.keys(commands).map(
          () =>
            "error[platform_unsupported]: Mettle does not run on native Windows\nhint: Use WSL 2: `wsl --install`, then install and run Mettle inside it.\n",
        ),
      );
    } finally {
      out.mockRestore();
      err.mockRestore();
    }
  },
);

verifiesInCi("CORE-102", "on macOS a run works, and its records say that no agent was isolated", async () => {
  const world = await createWorld();
  // Loads the native code of the store before the platform is changed.
  pretend("darwin");

  const { end, events } = await world.go(await golden(), answerOnly("questions"));
  expect(end).toMatchObject({ type: "waiting", asks: [{ state: "user_gate_plan" }] });
  const records = await Promise.all(
    eventsOf(events, "record.written").map(async ({ ref }) =>
      EvidenceRecord.parse(JSON.parse(await world.host.payloads.text(ref))),
    ),
  );
  expect(records.map(({ isolation }) => isolation)).toEqual(["none", "none", "none"]);
  const isolation = eventsOf(events, "dispatch.started").map((event) => event.isolation);
  expect(new Set(isolation)).toEqual(new Set(["none"]));
});
