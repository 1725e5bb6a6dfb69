/** What a confined agent's shell can reach of Mettle: QA played by the real Claude Code in bubblewrap, with a scripted model. */
import { dirname } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { recorded } from "../../src/run/list-runs.ts";
import { createCyclesWorld, oneCycle } from "../cycles/world.ts";
import { eventsOf, type CliResult, type CassetteFile, type World } from "../orchestrate/world.ts";
import { confinesHere } from "../sandbox/bubblewrap.ts";
import { clients } from "../sandbox/clients.ts";
import { cassetteModel, roleOf } from "../support/cassette-model.ts";
import { answersIn } from "../support/conversation.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { withRealClaude } from "../support/real-agents.ts";

withRealClaude("the channel of the real Claude Code", (file) => {
  describe.skipIf(!confinesHere())("in bubblewrap (SKIPPED where that does not work)", () => {
    let world: World;
    let server: ModelServer;
    let ended: CliResult;
    let lines: readonly string[];
    beforeAll(async () => {
      world = await createCyclesWorld();
      server = await startModelServer();
      const cassette = await oneCycle();
      cassette.roles.qa = [
        {
          does: [
            {
              shell: `{ ${clients()}\nls ${world.host.home.root} | sed 's/^/sees /'; } 2>&1`,
            },
          ],
          report: { status: "BL", message: "looked around" },
        },
      ];
      server.scriptWith(cassetteModel(cassette as unknown as CassetteFile, "tool"));
      ended = await world.cli(
        ["run", "Add slugify(text)", "--protocol", "dptr", "--agent", "claude", "--json"],
        {
          timeoutMs: 280_000,
          env: {
            PATH: `${dirname(file)}:${process.env["PATH"] ?? ""}`,
            METTLE_SANDBOX: "required",
            ANTHROPIC_BASE_URL: server.url,
            ANTHROPIC_API_KEY: "dummy-key-of-the-test",
          },
        },
      );
      const qaDispatch = server.requests.filter((request) => roleOf(request) === "qa").at(-1);
      lines = answersIn(qaDispatch ?? { body: "{}" }).flatMap(({ text }) => text.split("\n"));
    }, 300_000);
    const outputAfter = (prefix: string) =>
      lines.flatMap((line) => (line.startsWith(prefix) ? [line.slice(prefix.length)] : []));

    test("its hook knows what its role may write, and envoy answers", () => {
      expect(outputAfter("hook test ")).toEqual([""]);
      const [denial = ""] = outputAfter("hook source ");
      expect(JSON.parse(denial)).toMatchObject({
        hookSpecificOutput: {
          permissionDecision: "deny",
          permissionDecisionReason: expect.stringContaining("src/slugify.js may not be written"),
        },
      });
      expect(JSON.parse(outputAfter("envoy ")[0] ?? "")).toMatchObject({ status: "success" });
      const stranger = "error[not_your_dispatch]: the token is not that of this dispatch";
      expect([outputAfter("foreign hook "), outputAfter("foreign envoy ")]).toEqual([[stranger], [stranger]]);
    });

    test("it sees no store, and its report counts", async () => {
      expect(outputAfter("sees ")).toEqual(["homes", "worktrees"]);
      expect(ended.code, `${ended.stdout}\n${ended.stderr}`).toBe(1);
      const [newest = ""] = await world.host.journal.runs();
      const events = (await world.host.journal.read(newest)).map(recorded);
      const [qaDispatch] = eventsOf(events, "dispatch.started").filter(({ role }) => role === "qa");
      expect(qaDispatch?.isolation).toMatch(/^bubblewrap /u);
      expect(eventsOf(events, "result").find(({ key }) => key === qaDispatch?.key)).toMatchObject({
        outcome: "BL",
        channel: "mcp",
        text: "looked around",
      });
    });
  });
});
