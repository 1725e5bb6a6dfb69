/** A whole run in a project that uses vitest, with a test script that hides every failure. */
import { unlinkSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import type { EventOf, Recorded } from "../../src/log/run-event.ts";
import { answerAsk } from "../../src/engine/asks/answer.ts";
import { readRecord } from "../../src/run/blocks.ts";
import { callIn } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { wide } from "../wide.ts";
import { act, slugify } from "./turns.ts";
import { countersOf, driveWatched, startsOf } from "./watched.ts";
import {
  createWorld,
  demoFiles,
  eventsOf,
  golden,
  answerAll,
  type Answer,
  type CliResult,
  type CassetteFile,
  type DriveResult,
  type World,
} from "./world.ts";

const path = "test/slugify.test.js";
const tests = `import { expect, test } from "vitest";
import { slugify } from "../src/slugify.js";

test("FR1 makes letters lower case", () => {
  expect(slugify("HELLO")).toBe("hello");
});

test("FR2 joins words by one hyphen", () => {
  expect(slugify("Hello,  big world")).toBe("hello-big-world");
});

test("EC1 gives an empty slug for an empty text", () => {
  expect(slugify("")).toBe("");
});

test("EC2 drops separators at both ends", () => {
  expect(slugify(" - Hello! ")).toBe("hello");
});

test("ERR1 refuses anything but a string", () => {
  expect(() => slugify(42)).toThrow(TypeError);
});
`;

async function files(): Promise<Record<string, string>> {
  return {
    "package.json": `{ "name": "words", "private": true, "type": "module", "scripts": { "test": "vitest; true" }, "devDependencies": { "vitest": "*" } }\n`,
    // With the slash it does not match the symlink to the installed modules.
    ".gitignore": "node_modules/\n",
    "src/words.js": (await demoFiles())["src/words.js"] ?? "",
  };
}

async function cassette(): Promise<CassetteFile> {
  const { roles, ...rest } = await golden();
  const sources = [`process.exit(0);\n${slugify.right}`, slugify.right];
  return {
    ...rest,
    roles: {
      ...roles,
      tester: [act("RC", { write: { [path]: tests } })],
      coder: sources.map((source) => act("GC", { write: { "src/slugify.js": source } })),
    },
  };
}

// The demo's project uses node's runner; reports of vitest are tested in src/evidence/runners.
describe.skipIf(!wide)("a vitest project", () => {
  let world: World;
  let driven: DriveResult;
  let events: readonly Recorded[];
  /** Driven without the project's runner, from RED on. */
  let hindered: DriveResult;
  let called: CliResult;
  beforeAll(async () => {
    world = await createWorld(await files());
    await symlink(packageRoot("node_modules"), join(world.repository.dir, "node_modules"));
    const modules = join(world.repository.dir, "node_modules");
    const run = await world.start(await cassette());
    hindered = await driveWatched(world, run, {
      on: (event) => {
        if (event.type === "commit.made") unlinkSync(modules);
      },
    });
    called = await callIn(world, ["watch", run]);
    await symlink(packageRoot("node_modules"), modules);
    driven = await world.drive(run, resuming);
    events = driven.events;
  }, 240_000);

  const records = (purpose: string): readonly Recorded<EventOf<"record.written">>[] =>
    eventsOf(events, "record.written").filter((record) => record.purpose === purpose);

  test("reaches a verified result from RED by its own runner, whatever its script prints", async () => {
    expect(driven.end).toEqual({ type: "ended", outcome: "complete" });
    const runs = ["red.tests", "green.tests", "final.tests"].flatMap(records);
    expect(runs.map(({ purpose, exitCode }) => `${purpose} ${exitCode === 0 ? 0 : "not 0"}`)).toEqual([
      "red.tests not 0",
      "green.tests not 0",
      "green.tests 0",
      "final.tests 0",
    ]);
    for (const { id } of runs) {
      const record = await readRecord(driven.context, id);
      expect(record?.runner?.name).toBe("vitest");
      expect(record?.argv.slice(0, 3)).toEqual([
        process.execPath,
        join(world.repository.dir, "node_modules/vitest/vitest.mjs"),
        "run",
      ]);
    }
    const accepted = await readRecord(driven.context, records("green").at(-1)?.id ?? "");
    expect(accepted?.controls["canary"]).toBe("failed as it must");
  });

  verifies("ORC-91", "a missing runner stops the run in its phase without charging an attempt", () => {
    expect([called.code, hindered.end]).toMatchObject([
      5,
      { type: "waiting", asks: [{ as: "inconclusive" }] },
    ]);
    expect(called.stdout).toContain("[Orc.Phase5_TDD_RED]");
    expect(eventsOf(hindered.events, "ask.shown").at(-1)?.text).toContain(
      "runner_not_found: vitest is the project's runner, but it is not installed (install the project's dependencies in the main checkout: `npm install`)",
    );
    expect(countersOf(hindered.events)).toMatchObject({ red: "1/5" });
    const judged = eventsOf(events, "gate.judged").filter(({ gate }) => gate === "red");
    expect(judged.map(({ verdict }) => verdict)).toEqual(["inconclusive", "pass"]);
    expect(startsOf(events, "tester")).toHaveLength(1);
  });

  test("code that ends the process early fails, and the linked modules are no work", () => {
    const judged = eventsOf(events, "gate.judged").filter(({ gate }) => gate === "green");
    expect(judged.map(({ verdict }) => verdict)).toEqual(["fail", "pass"]);
    expect(judged[0]?.reasons.join()).toContain("process.exit");
    expect(eventsOf(events, "commit.made").flatMap(({ paths }) => paths)).not.toContain("node_modules");
  });
});

/** Like a person: resumes a paused check. */
const resuming: Answer = (context, ask) =>
  ask.as === "inconclusive"
    ? answerAsk(context, {
        ask,
        outcome: "resume",
        by: { answeredBy: "file", authenticated: false, who: "test" },
      })
    : answerAll(context, ask);
