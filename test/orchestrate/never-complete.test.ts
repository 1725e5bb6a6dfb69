/**
 * Runs that must not complete: no change, ignored files, a wrong solution, and a tripped breaker.
 * @module-tag ci
 */
import { beforeAll, describe, expect } from "vitest";
import { callIn } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import {
  answerNone,
  createWorld,
  demoFiles,
  eventsOf,
  golden,
  answerAll,
  type CliResult,
  type DriveResult,
  type TurnFile,
  type World,
} from "./world.ts";

const report = { status: "GC", message: "done, all tests pass" };
const right = `export { slugify } from "./hidden.js";\n`;

describe("a coder that changes nothing, then hides its work from git, then is wrong", () => {
  let world: World;
  let driven: DriveResult;
  let stopped: CliResult;
  let aborted: CliResult;
  beforeAll(async () => {
    world = await createWorld({ ...(await demoFiles()), ".gitignore": "src/hidden.js\n" });
    const cassette = await golden();
    const solution = written(cassette.roles.coder[0]);
    const coder: TurnFile[] = [
      { does: [{ say: "All is done already." }], report },
      {
        does: [
          { write: { path: "src/hidden.js", content: solution } },
          { write: { path: "src/slugify.js", content: right } },
        ],
        report,
      },
      { does: [{ write: { path: "src/slugify.js", content: "export const slugify = () => 1;\n" } }], report },
    ];
    const played = { ...cassette, roles: { ...cassette.roles, coder } };
    const run = await world.start(played, { limits: { green: 3 } });
    driven = await world.drive(run, (context, ask) =>
      ask.phase === "7 TDD_GREEN" ? answerNone(context, ask) : answerAll(context, ask),
    );
    stopped = await callIn(world, ["status", run, "--json"]);
    aborted = await callIn(world, ["abort", run, "--json"]);
  });

  verifies(
    "CORE-47",
    "is never complete: each gate fails, the breaker waits with exit 4, and abort ends with 1",
    () => {
      const judged = eventsOf(driven.events, "gate.judged").filter(({ gate }) => gate === "green");
      expect(judged.map(({ verdict }) => verdict)).toEqual(["fail", "fail", "fail"]);
      const [nothing, hidden, wrong] = judged.map(({ reasons }) => reasons.join("\n"));
      expect(nothing).toMatch(/nothing|no change/iu);
      expect(hidden).toContain("src/hidden.js");
      expect(wrong).toContain("FR1 makes letters lower case");
      expect(driven.end).toMatchObject({ type: "waiting" });
      expect(stopped.json()).toMatchObject({ runs: [{ status: "blocked" }] });
      expect([aborted.code, aborted.json()["aborted"]]).toEqual([1, true]);
      expect(eventsOf(driven.events, "run.ended")).toEqual([]);
    },
  );
});

function written(turn: TurnFile | undefined): string {
  const act = turn?.does?.find((each) => "write" in each);
  return String((act?.["write"] as { content?: string } | undefined)?.content);
}
