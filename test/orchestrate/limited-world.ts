/** A protocol with a fan-out of ten, drafted by one role and polished by another, whose agents reach usage limits. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { drive, type DriveEnd } from "../../src/engine/drive.ts";
import { plain } from "../../src/engine/plain.ts";
import { familiesOf, shipped } from "../../src/families/families.ts";
import { openRun } from "../../src/families/open-run.ts";
import type { Family } from "../../src/family/family.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { createWorld, untestedFiles, type TurnFile, type World } from "./world.ts";

const protocol = `version: 1
protocol: ten
kind: machine
extends: base
about: Ten drafts, each polished
features: { ten: true }
roles:
  planner: { writes: none, template: plain, payload: { SEGMENTS: segments } }
  drafter: { writes: none, template: plain }
  polisher: { writes: none, template: plain }
gates: { polished: [pass, fail] }
machines:
  one:
    like: base
    start: draft
    counters: { tries: { limit: 3, over: trouble } }
    states:
      draft: { dispatch: drafter, reports: [DONE], on: { DONE: { to: polish, do: [{ count: tries }] } } }
      polish: { dispatch: polisher, reports: [DONE], on: { DONE: ^complete } }
  main:
    like: base
    start: cut
    states:
      cut: { dispatch: planner, reports: [SEGMENTS], on: { SEGMENTS: work } }
      work: { each: segments, machine: one, min: 1, order: together, join: [complete], on: { complete: look } }
      look: { check: polished, on: { pass: ^complete, fail: trouble } }
`;

/** Its gate counts what was polished. */
const ten: Family = {
  ...plain,
  name: "ten",
  owns: ({ features }) => features["ten"] === true,
  gates: {
    polished: {
      outcomes: ["pass", "fail"],
      check: ({ context: { session } }) => {
        const { commands } = session.view;
        const polished = Object.values(commands).filter(({ command, result }) => {
          return command.state === "polish" && result?.outcome === "DONE";
        });
        const verdict = polished.length === 10 ? "pass" : "fail";
        const check = { name: "polished", verdict, reason: `${polished.length} of 10`, tests: [] } as const;
        return Promise.resolve({ verdict: { verdict, outcome: verdict, checks: [check], findings: [] } });
      },
    },
  },
};
const families = familiesOf([...shipped, ten]);

const done = { status: "DONE", message: "done" };
const about = "Error 429: quota exceeded. You've hit your usage limit, try again in 2 hours.";

export interface LimitedWorld extends World {
  /** Creates the file for which all drafts but the limited one wait. */
  release(): Promise<void>;
  /** A cassette whose second draft fails with `limit`; the third is about limits. */
  limited(limit: Readonly<Record<string, unknown>>, polisher?: readonly TurnFile[]): Promise<string>;
  /** Drives in this process by this clock. */
  driveBy(run: string, options: { clock?: Clock; waits?: boolean; signal?: AbortSignal }): Promise<DriveEnd>;
  events(run: string): Promise<readonly Recorded[]>;
}

export async function createLimitedWorld(): Promise<LimitedWorld> {
  const files = {
    ...(await untestedFiles()),
    "limits.md": `${about}\n`,
    ".mettle/protocols/ten.yaml": protocol,
    ".mettle/templates/plain.md": "---\nrole: drafter\ntools: []\n---\n{{task}}\n",
  };
  const world = await createWorld(files, {}, families);
  const flag = join(world.home, "released");
  const wait = { shell: `until test -e '${flag}'; do sleep 0.05; done` };
  return {
    ...world,
    release: () => writeFile(flag, ""),
    limited(limit, polisher = [{ report: done, repeat: true }]) {
      const segments = Array.from({ length: 10 }, () => ({ specialist: "writer", requirements: "A line" }));
      const roles = {
        planner: [{ report: { status: "SEGMENTS", message: "ten", payload: { segments, bug: false } } }],
        drafter: [
          { does: [wait], report: done },
          { does: [{ fails: { outcome: "rate_limited", ...limit } }] },
          { does: [wait, { shell: "cat limits.md" }, { say: about }], report: done },
          { does: [wait], report: done, repeat: true },
        ],
        polisher,
      };
      return world.agent({ version: 1, kind: "cassette", roles } as never);
    },
    async driveBy(run, { clock, waits, signal = new AbortController().signal }) {
      const opened = await openRun(world.host, { run }, families);
      const context = clock === undefined ? opened : { ...opened, clock };
      return drive(context, {
        signal,
        ...(waits !== undefined && { waits }),
        answer: () => Promise.resolve(null),
      });
    },
    events: async (run) => (await world.host.journal.read(run)).map(recorded),
  };
}
