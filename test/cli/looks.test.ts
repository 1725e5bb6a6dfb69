/**
 * The output of the read-only commands in each state of a run, compared with files in `golden/` after ids and times are normalised.
 * @module-tag ci
 */
import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { openHost } from "../../src/run/host.ts";
import { demoFiles } from "../orchestrate/world.ts";
import { verifies, verifiesWhen } from "../verifies.ts";
import { crash, createStage, hang, questions, type CallResult, type Stage } from "./stage.ts";

const looks = ["status", "log", "show", "watch"] as const;
type Looks = Readonly<Record<(typeof looks)[number], CallResult>>;

interface State {
  readonly name: string;
  /** Exit code of the command that drove the run here. */
  readonly drove: number | null;
  readonly looks: Looks;
}

describe("a run that is inspected", () => {
  let stage: Stage;
  let run = "";
  let other = "";
  const states: State[] = [];
  const lost: CallResult[] = [];
  let running: { readonly status: CallResult; readonly watch: CallResult; readonly driving: CallResult };
  const parts: CallResult[] = [];
  let terminal = "";

  const look = async (name: string, driven: CallResult, by = stage.here): Promise<void> => {
    const of = (command: (typeof looks)[number]) => by([command, run]);
    const seen = {
      status: await of("status"),
      log: await of("log"),
      show: await of("show"),
      watch: await of("watch"),
    };
    states.push({ name, drove: driven.code, looks: seen });
  };

  beforeAll(async () => {
    stage = await createStage(await demoFiles());
    await stage.play();
    const started = await stage.call(["run", "@orchestrate Add slugify", "--agent", stage.agent, "--json"]);
    run = String(JSON.parse(started.stdout).run);
    await look("questions", started);
    await stage.save("questions");
    const answer = ["answer", run, ...questions];
    await stage.play({ planner: [] });
    await look("paused", await stage.here(answer));
    await stage.restore("questions");
    await stage.play({ planner: [crash] });
    await look("broken", await stage.here(answer));
    await stage.restore("questions");
    await stage.play({ planner: [hang] });
    await look("stopped", await stage.call(answer, { during: { seen: "planner works", act: whenAtWork } }));

    await stage.restore("questions");
    await stage.play({ planner: [hang] });
    let status: CallResult | null = null;
    let watch: CallResult | null = null;
    const act = async (): Promise<void> => {
      await whenAtWork(() => undefined);
      status = await stage.here(["status", run]);
      watch = await stage.call(["watch", run], {
        during: { seen: "planning", act: () => stage.call(["abort", run, "--reason", "seen enough"]) },
      });
    };
    const driving = await stage.call(answer, { during: { seen: "planner works", act } });
    if (!status || !watch) throw new Error("it was looked at while it was driven");
    running = { status, watch, driving };
    await look("aborted", driving);

    await stage.restore("questions");
    await stage.play();
    await look("plan", await stage.here(answer));
    await look("code", await stage.here(["approve", run]));
    await look("complete", await stage.here(["approve", run]), stage.call);

    const { documents } = JSON.parse((await stage.here(["show", run, "--json"])).stdout);
    for (const id of [`${run}/4`, `${run}/spec`, String(documents.spec), "Q3"])
      parts.push(await stage.here(["show", id]));
    if (hasScript) terminal = await atTerminal();
    other = await addRunLike();
    for (const name of looks)
      for (const id of ["nowhere", run.slice(0, -1)]) lost.push(await stage.here([name, id]));
  }, 200_000);

  /** Waits until the planner's process runs, which the journal records a moment after the line is printed. */
  async function whenAtWork(then: () => void): Promise<void> {
    for (let tries = 0; tries < 300; tries += 1) {
      if ((await stage.here(["log", run])).stdout.includes("planning#1: agent")) return then();
      await sleep(100);
    }
    throw new Error("the planner never began");
  }

  /** Adds a second run whose id has the same prefix. */
  async function addRunLike(): Promise<string> {
    const host = await openHost(stage.repository.dir, { METTLE_HOME: join(stage.home, "state") });
    try {
      const id = `${run.slice(0, -1)}${run.endsWith("2") ? "3" : "2"}`;
      const events = await host.journal.read(run);
      await host.journal.append(
        id,
        0,
        events.map(({ type, data }) => ({ type, data })),
      );
      return id;
    } finally {
      await host.journal.close();
    }
  }

  /** All four on a terminal, with NO_COLOR. */
  async function atTerminal(): Promise<string> {
    const bin = join(stage.home, "bin");
    await mkdir(bin, { recursive: true });
    const lines = looks.map(
      (name) => `"${process.execPath}" "${packageRoot("dist/bin/mettle.js")}" ${name} ${run}`,
    );
    await writeFile(join(bin, "look"), `#!/bin/sh\n${lines.join("\n")}\n`, { mode: 0o755 });
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: stage.home,
      METTLE_HOME: join(stage.home, "state"),
      NO_COLOR: "1",
    };
    return spawnSync("script", ["-qec", join(bin, "look"), "/dev/null"], {
      cwd: stage.repository.dir,
      env,
      encoding: "utf8",
      timeout: 60_000,
    }).stdout;
  }

  const plain = (text: string): string => normalised(text, { run, stage });

  verifies(
    "CORE-84",
    "shows phase, counters, proof and what it waits for in each state, its timeline and itself",
    async () => {
      expect(states.map(({ name }) => name)).toEqual([
        "questions",
        "paused",
        "broken",
        "stopped",
        "aborted",
        "plan",
        "code",
        "complete",
      ]);
      for (const {
        name,
        looks: { status, log, show },
      } of states) {
        expect([status.code, log.code, show.code]).toEqual([0, 0, 0]);
        const text = [status, log, show].map(
          ({ stdout }, index) => `$ mettle ${looks[index]} RUN\n${stdout}`,
        );
        await expect(plain(text.join("\n"))).toMatchFileSnapshot(`golden/${name}.txt`);
      }
    },
  );

  verifies("CORE-84", "is watched with the exit code of its driver, its timeline and its state", () => {
    expect(states.map(({ name, drove, looks: { watch } }) => [name, drove, watch.code])).toEqual([
      ["questions", 3, 3],
      ["paused", 5, 5],
      ["broken", 4, 4],
      ["stopped", 130, 130],
      ["aborted", 1, 1],
      ["plan", 3, 3],
      ["code", 3, 3],
      ["complete", 0, 0],
    ]);
    for (const {
      looks: { watch, log, status },
    } of states) {
      const timeline = log.stdout.replaceAll(/^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ| {20})  /gmu, "");
      expect(watch.stdout).toBe(`${timeline}${status.stdout}`);
    }
    expect([running.driving.code, running.watch.code]).toEqual([1, 1]);
    expect(running.watch.stdout).toContain("seen enough");
    expect(running.status.stdout).toMatch(/^  status +running \(process \d+\)$/mu);
    expect(running.status.stdout).toMatch(/^  phase +2 PLANNING$/mu);
  });

  verifies("CORE-84", "shows its records, documents, payloads and questions by id", async () => {
    expect(parts.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const [record, spec, payload, question] = parts.map(({ stdout }) => stdout);
    await expect(plain(record ?? "")).toMatchFileSnapshot("golden/record.txt");
    expect(spec).toContain("## Functional Requirements\n- FR1: letters become lower case\n");
    expect(payload).toBe(spec);
    expect(question).toBe("Q3 (edge cases): What is the slug of an empty text?\nas the task says\n");
  });

  verifies("CORE-84", "refuses unknown or ambiguous ids, with the candidates", () => {
    expect(lost.map(({ code, stdout }) => [code, stdout])).toEqual(lost.map(() => [2, ""]));
    const messages = lost.map(({ stderr }) => stderr);
    for (const message of messages) {
      expect(message).toMatch(/^error\[run_unknown\]: .*\nhint: /u);
      for (const id of [run, other]) expect(message.split("hint:")[1]).toContain(id);
    }
    expect(messages.filter((message) => message.includes("is ambiguous"))).toHaveLength(looks.length);
  });

  const all = () => [
    ...states.flatMap((state) => Object.values(state.looks)),
    ...parts,
    ...lost,
    ...Object.values(running),
  ];

  verifies("CORE-84", "is printed without escape bytes if the output is not a terminal", () => {
    expect(all().length).toBeGreaterThan(40);
    for (const { stdout, stderr } of all()) expect(`${stdout}${stderr}`).not.toContain("\u001b");
  });

  verifiesWhen(
    hasScript,
    "script(1) is needed to make a terminal",
    "CORE-84",
    "and on a terminal with NO_COLOR",
    () => {
      expect(terminal.match(/status {4}complete: proven/gu)).toHaveLength(3);
      expect(terminal).not.toContain("\u001b");
    },
  );
});

const hasScript =
  spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") === true;

/** Replaces ids, times, hashes, people and paths by names. */
function normalised(text: string, { run, stage }: { readonly run: string; readonly stage: Stage }): string {
  const named = text
    .replaceAll(run, "RUN")
    .replaceAll(/ by \S+ \(file\)/gu, " by somebody (file)")
    .replaceAll(stage.home, "HOME")
    .replaceAll(packageRoot("."), "METTLE")
    .replaceAll(process.execPath, "node")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ?/gu, "TIME")
    .replaceAll(/sha256:[0-9a-f]{64}/gu, "sha256:HASH")
    .replaceAll(/\b[0-9a-f]{40}\b|\b[0-9a-f]{64}\b/gu, "COMMIT")
    .replaceAll(/\b(?=[0-9a-f]*\d)[0-9a-f]{12}\b/gu, "COMMIT");
  return inOneOrder(named.split("\n")).join("\n");
}

/** Two reviewers work at the same time, so their lines are sorted. */
function inOneOrder(lines: readonly string[]): readonly string[] {
  const ordered: string[] = [];
  let together: string[] = [];
  for (const line of lines) {
    if (/_review\/|gate \d: |-review written/u.test(line)) {
      together.push(line);
      continue;
    }
    ordered.push(...together.sort(), line);
    together = [];
  }
  return [...ordered, ...together.sort()];
}
