// @module-tag ci: one run that trips every kind of breaker, driven from the command line, its output and each option.
import { openRun } from "../../src/families/open-run.ts";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { parseSettings, settingsJsonSchema } from "../../src/config/settings.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import { AppError } from "../../src/lib/errors.ts";
import { loadProtocol, readProtocolFile } from "../../src/protocol/load.ts";
import { changeSettings } from "../../src/engine/start/change-settings.ts";
import { readLibrary } from "../../src/engine/start/library.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { slugify } from "../orchestrate/turns.ts";
import { promptsOf } from "../orchestrate/watched.ts";
import { createWorld, eventsOf, type CliResult, type World } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { callIn } from "./here.ts";
import { unluckyCassette } from "./unlucky-cassette.ts";

describe("an unlucky run", () => {
  let world: World;
  let run: string, base: string;
  let before: readonly string[];
  let held: readonly unknown[], heldAfter: readonly unknown[];
  const everything = () => Promise.all([world.host.journal.head(run), world.repository.git("for-each-ref")]);
  const softer = ["limits.green=0", "limits.gate1=Infinity", "breakers=warn", "orchestrate.breakers=false"];
  const softened: (readonly [string, string])[] = [];
  const by = { answeredBy: "file", authenticated: false, who: "test" } as const;
  const refusal = async (setting: string): Promise<string> => {
    const context = await openRun(world.host, { run });
    return changeSettings(world.host, context, { set: [setting], agents: {}, by })
      .then(() => "changed")
      .catch((error: unknown) => (error instanceof AppError ? error.code : String(error)));
  };
  const calls = new Map<string, CliResult>();
  const call = async (name: string, ...args: readonly string[]): Promise<CliResult> => {
    // The first block by the built program, the others by `main` in this process.
    const called = await (calls.size === 0 ? world.cli(args) : callIn(world, args));
    calls.set(name, called);
    return called;
  };
  const events = async (): Promise<readonly Recorded[]> => (await world.host.journal.read(run)).map(recorded);
  /** The state of the main checkout. */
  const checkout = () =>
    Promise.all([
      world.repository.git("rev-parse", "HEAD"),
      world.repository.git("symbolic-ref", "HEAD"),
      world.repository.git("status", "--porcelain"),
      world.repository.git("rev-parse", "main"),
    ]);
  /** The command that the block of this call prints for an option, with the dots replaced. */
  const printed = (name: string, option: "a" | "b" | "c", words = "") => {
    const lines = (calls.get(name)?.stdout ?? "").split("\n");
    const line = lines[lines.findIndex((one) => one.startsWith(`  ${option}) `)) + 1] ?? "";
    expect(line).toMatch(/^ {5}mettle resume /u);
    return line
      .trim()
      .split(" ")
      .slice(1)
      .map((word) => (word === '"…"' ? words : word));
  };

  beforeAll(async () => {
    world = await createWorld();
    base = await world.repository.git("rev-parse", "HEAD");
    const flag = join(world.home, "broken");
    const limits = { documents: 2, red: 1, green: 2 };
    run = await world.start(await unluckyCassette(flag), { limits });
    before = await checkout();
    await call("context full", "resume", run);
    await call("again", "resume", run);
    await call("again as JSON", "resume", run, "--json");
    await call("a setting", "resume", run, "--set", "limits.documents=2");
    for (const setting of softer) softened.push([setting, await refusal(setting)]);
    await call("two at once", "resume", run, "--context", "x", "--approach", "y");
    held = await everything();
    await call("unknown commit", "resume", run, "--reset", "feedbeef");
    heldAfter = await everything();
    await call("foreign answer", "approve", run);
    await call("crashed", ...printed("context full", "b", "read less"));
    await call("questions", ...printed("crashed", "c", "ask first"));
    await call("documents", "answer", run, "Q1=a", "Q2=b", "Q3=c", "Q4=d", "Q5=e");
    await call("gate 1", ...printed("documents", "a"));
    await call("plan", ...printed("gate 1", "b", "the limit is 100"));
    await call("tests", "approve", run);
    await call("same error", ...printed("tests", "c", "tests that fail"));
    await call("green", ...printed("same error", "b", "look at EC2"));
    await call("code", ...printed("green", "a"));
    await writeFile(flag, "");
    await call("final", "approve", run);
    await call("status", "status", "--json");
    await call("aborted", "abort", run, "--reason", "enough of this");
  }, 240_000);

  /** The expected block. */
  const block = (facts: {
    trigger: string;
    attempts: string;
    error: readonly string[];
    reset: string;
  }) => `⚠️ CIRCUIT BREAKER ACTIVATED
━━━━━━━━━━━━━━━━━━━━━━━━━━━
Trigger: ${facts.trigger}
Attempts: ${facts.attempts}
Last error: ${facts.error.join("\n  ")}
━━━━━━━━━━━━━━━━━━━━━━━━━━━
Options:
  a) git reset --hard ${facts.reset} - discard changes
     mettle resume ${run} --reset ${facts.reset}
  b) User provides more context
     mettle resume ${run} --context "…"
  c) Try different approach
     mettle resume ${run} --approach "…"

Awaiting user decision...
`;

  verifies(
    "ORC-80",
    "prints the block for each trigger, under a state line with the status blocked",
    async () => {
      const [red = "", green = ""] = eventsOf(await events(), "head.moved").flatMap(({ kind, commit }) =>
        kind === "reset" ? [] : [commit],
      );
      const id = (title: string) => `test/slugify.test.js::${title}`;
      const weak = (title: string) =>
        `tautology: 1 test passes on units that return nothing, return their argument, and throw, so nothing the code does can fail it: ${id(title)}; compare what the unit returns with the expected value; a person can accept it: mettle resume RUN --accept-test ID; can_fail: 1 test cannot fail by its assertions: test/slugify.test.js:3: "${title}": its assertion holds without the code; compare what the unit returns with a literal; a person can accept it: mettle resume RUN --accept-test ID (${id(title)})`;
      const failing = (...titles: readonly string[]) =>
        `required: exit code: it is 1, not 0; required tests: ${titles.length} failed: ${titles.map(id).join(", ")}`;
      const all = [
        "FR1 makes letters lower case",
        "FR2 joins words by one hyphen",
        "EC1 gives an empty slug for an empty text",
        "EC2 drops separators at both ends",
        "ERR1 refuses anything but a string",
      ];
      const missing = [
        "Overview",
        "Functional Requirements",
        "Inputs",
        "Outputs",
        "Edge Cases",
        "Error Handling",
        "Constraints",
        "Success Criteria",
        "Out of Scope",
      ];
      const rounds = [
        "round 1: 2 new, 0 open, 0 fixed, 0 regression",
        "round 2: 0 new, 2 open, 0 fixed, 0 regression",
        "round 3: 0 new, 2 open, 0 fixed, 0 regression",
      ];
      const expected = {
        "context full": [
          "1_INTAKE",
          {
            trigger: "Context over 80 % full",
            attempts: "2/2",
            error: ["the agent's context is more than 80 % full"],
            reset: base,
          },
        ],
        crashed: [
          "1_INTAKE",
          {
            trigger: "An agent could not finish",
            attempts: "1/1",
            error: ["the agent crashed: ended with exit code 3"],
            reset: base,
          },
        ],
        documents: [
          "1_INTAKE",
          {
            trigger: "An agent could not finish (documents)",
            attempts: "2/2",
            error: missing.map((name) => `spec.md: missing section: ${name}`),
            reset: base,
          },
        ],
        "gate 1": [
          "3_PLAN_DUAL_REVIEW",
          {
            trigger: "REVIEW LOOP EXCEEDED (gate 1)",
            attempts: "3/3",
            error: ["Gemini: EC1 is vague", "Claude: no limit", ...rounds],
            reset: base,
          },
        ],
        tests: [
          "5_TDD_RED",
          {
            trigger: "The tests are refused again and again",
            attempts: "1/1",
            error: [
              `attempt 1: fails: tests wrong, rewrite: 1 test passes before implementation: rewrite ${id("FR1 FR2 EC1 EC2 ERR1")}; ${weak("FR1 FR2 EC1 EC2 ERR1")}`,
            ],
            reset: base,
          },
        ],
        "same error": [
          "7_TDD_GREEN",
          {
            trigger: "Same error twice",
            attempts: "2/2",
            error: [failing(all[3] ?? "", all[4] ?? "")],
            reset: red,
          },
        ],
        green: [
          "7_TDD_GREEN",
          { trigger: "MANUAL INTERVENTION REQUIRED", attempts: "2/2", error: [failing(...all)], reset: red },
        ],
        final: [
          "10_SUMMARY",
          {
            trigger: "final verification failed",
            attempts: "1/1",
            error: [failing(all[0] ?? "")],
            reset: green,
          },
        ],
      } as const;
      for (const [name, [phase, facts]] of Object.entries(expected)) {
        const { code: exit, stdout } = calls.get(name) ?? { code: -1, stdout: "" };
        const [, line = "", text = ""] =
          /(\[Orc\.[^\n]*)\n(⚠️[\s\S]*?Awaiting user decision\.\.\.\n)/u.exec(stdout) ?? [];
        expect([name, exit, text]).toEqual([name, 4, block(facts)]);
        expect(line).toMatch(
          new RegExp(
            `^\\[Orc\\.Phase${phase}\\] .*\\[Exec: UNPROVEN\\] \\[Exit: (PENDING|0|1)\\] \\[Status: blocked\\]$`,
            "u",
          ),
        );
      }
      expect(calls.get("again as JSON")?.json()).toMatchObject({
        version: 1,
        status: "blocked",
        state_line: expect.stringMatching(/\[Status: blocked\]$/u),
        waiting: {
          kind: "breaker",
          breaker: {
            trigger: "Context over 80 % full",
            attempts: 2,
            max: 2,
            last_error: "the agent's context is more than 80 % full",
            rounds: [],
            options: [
              {
                id: "a",
                text: `git reset --hard ${base} - discard changes`,
                command: `mettle resume ${run} --reset ${base}`,
              },
              { id: "b", text: "User provides more context", command: `mettle resume ${run} --context "…"` },
              { id: "c", text: "Try different approach", command: `mettle resume ${run} --approach "…"` },
            ],
          },
        },
      });
    },
  );

  verifies(
    "ORC-81",
    "each printed option works: a) moves only the run's branch and keeps what it discards",
    async () => {
      const journal = await events();
      const at = (type: Recorded["type"], key: string) =>
        journal.findIndex((event) => event.type === type && "key" in event && event.key === key);
      expect(await checkout()).toEqual(before);
      const kept = eventsOf(journal, "work.rescued").find(({ key }) => key === "manual#1");
      const [red] = eventsOf(journal, "head.moved").filter(({ kind }) => kind === "red");
      const resets = eventsOf(journal, "head.moved").filter(({ kind }) => kind === "reset");
      expect(resets.map(({ commit }) => commit)).toEqual([base, red?.commit]);
      expect(kept?.ref).toBe(`refs/mettle/rescue/${run}/manual-1`);
      expect(await world.repository.git("show", `${kept?.ref}:src/slugify.js`)).toBe(
        slugify.constant("y").trimEnd(),
      );
      expect(at("result", "manual#1")).toBeLessThan(at("command.issued", "green#5"));

      const intake = await promptsOf(world, journal, "intake");
      expect([intake[2], intake[3]].map((prompt) => prompt?.includes("read less"))).toEqual([false, true]);
      expect(intake[4]).toContain("ask first");
      expect((await promptsOf(world, journal, "planner"))[3]).toContain("the limit is 100");
      expect((await promptsOf(world, journal, "tester"))[1]).toContain("tests that fail");
      expect((await promptsOf(world, journal, "coder"))[2]).toContain("look at EC2");
      expect(heldAfter).toEqual(held);
      expect([calls.get("unknown commit")?.code, calls.get("unknown commit")?.stderr]).toEqual([
        2,
        `error[revision_unknown]: no commit is named "feedbeef" in ${world.repository.dir}\nhint: List what exists with \`git branch --all\` or \`git log --oneline\`.\n`,
      ]);
    },
  );

  verifies(
    "ORC-82",
    "blocks while it is open: nothing starts, the block is printed again with exit 4, and no setting weakens it",
    async () => {
      const shown = (name: string) => /⚠️[\s\S]*/u.exec(calls.get(name)?.stdout ?? "")?.[0];
      expect([calls.get("again")?.code, shown("again")]).toEqual([4, shown("context full")]);
      expect(calls.get("again as JSON")?.code).toBe(4);
      // A changed setting answers nothing.
      expect([calls.get("a setting")?.code, shown("a setting")]).toEqual([4, shown("context full")]);
      expect(
        ["two at once", "unknown commit", "foreign answer"].map((name) => calls.get(name)?.code),
      ).toEqual([2, 2, 2]);

      const journal = await events();
      const tripped = journal.findIndex(({ type }) => type === "breaker.tripped");
      const answered = journal.findIndex(
        (event) => event.type === "result" && event.key === "context_full#1",
      );
      expect(journal.slice(tripped + 1, answered).map(({ type }) => type)).toEqual([
        "ask.shown",
        "settings.changed",
      ]);
      expect(journal[answered]).toMatchObject({
        outcome: "context",
        text: "read less",
        by: { answeredBy: "file" },
      });

      // A new key must be checked here: none may weaken a breaker.
      expect(
        Object.keys(settingsJsonSchema()["properties"] as object)
          .sort()
          .join(" "),
      ).toBe(
        "agents budget deadlines graph limits notify orchestrate packages paths proof protocol reviewers runner sandbox session store tests version workers",
      );
      expect(softened).toEqual(softer.map((setting) => [setting, "config_invalid"]));
      for (const setting of ["limits: { green: 0 }", "limits: { gate1: .inf }", "breakers: warn"])
        expect(() => parseSettings(`version: 1\n${setting}\n`)).toThrow(AppError);
    },
  );

  verifies(
    "CORE-76@orchestrate",
    "waits for a person in every shipped protocol; only an option or an abort ends it, and complete never follows",
    async () => {
      const shown = (name: string) => /⚠️[\s\S]*decision/u.exec(calls.get(name)?.stdout ?? "")?.[0] ?? null;
      const answered = [
        ["context full", "crashed"],
        ["crashed", "questions"],
        ["documents", "gate 1"],
        ["gate 1", "plan"],
        ["tests", "same error"],
        ["same error", "green"],
        ["green", "code"],
      ] as const;
      for (const [tripped, next] of answered) {
        expect([tripped, shown(tripped)]).not.toEqual([tripped, null]);
        expect([next, shown(next)]).not.toEqual([next, shown(tripped)]);
      }
      expect(["questions", "plan", "code"].map((name) => calls.get(name)?.code)).toEqual([3, 3, 3]);
      expect(calls.get("two at once")?.stderr).toBe(
        "error[usage]: choose one of --context and --approach\nhint: one option answers the breaker\n",
      );
      const { runs } = calls.get("status")?.json() as {
        runs: { status: string; waiting: { commands: string[] }[] }[];
      };
      expect(runs.map(({ status, waiting }) => [status, waiting[0]?.commands.at(-1)])).toEqual([
        ["blocked", `mettle abort ${run}`],
      ]);

      const { protocols } = await readLibrary({ shipped: packageRoot("protocols"), root: null });
      const machines = [...protocols].filter(([, source]) => readProtocolFile(source).kind === "machine");
      const breakers = machines.flatMap(([name]) => {
        const protocol = loadProtocol(name, protocols);
        return Object.values(protocol.machines).flatMap(({ states }) =>
          Object.entries(states).flatMap(([place, state]) =>
            state.kind === "ask" && state.as === "escalated"
              ? [{ name: `${name} ${place}`, on: state.on }]
              : [],
          ),
        );
      });
      // Each protocol has its own breakers, tested in test/cycles, test/graph and test/steps; orchestrate's above.
      const names = machines.map(([name]) => name).toSorted();
      expect(names.join(" ")).toBe("base continue dptr graph orchestrate plan riper steps");
      expect(breakers.length).toBeGreaterThan(7);
      for (const { name, on } of breakers) {
        expect([name, Object.keys(on).sort()]).toEqual([name, ["approach", "context", "reset"]]);
        expect([name, JSON.stringify(on).includes("complete")]).toEqual([name, false]);
      }
    },
  );

  verifies("ORC-54", "says NOT DONE in its last line, at a breaker and after an abort", () => {
    const last = (name: string) => [
      calls.get(name)?.code,
      calls.get(name)?.stdout.trimEnd().split("\n").at(-1),
    ];
    expect(last("green")).toEqual([4, "✗ NOT DONE: MANUAL INTERVENTION REQUIRED"]);
    expect(last("final")).toEqual([4, "✗ NOT DONE: final verification failed"]);
    expect(last("aborted")).toEqual([1, "✗ NOT DONE: enough of this"]);
    expect(last("plan")[0]).toBe(3);
  });
});
