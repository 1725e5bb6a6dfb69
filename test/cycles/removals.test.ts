/** What the checker reports about riper and dptr without a route, a limit or a gate. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect } from "vitest";
import { isMap, parseDocument, type YAMLMap } from "yaml";
import { packageRoot } from "../../src/config/package-root.ts";
import { checkProtocol } from "../../src/protocol/check.ts";
import { examineProtocol } from "../../src/protocol/load.ts";
import { verifies } from "../verifies.ts";
import { createStage, type Stage } from "../cli/stage.ts";

const names = ["base", "dptr", "riper"] as const;
const text = (name: string) => readFileSync(packageRoot(`protocols/${name}/protocol.yaml`), "utf8");
const templates = new Set(["design", "arch-critic", "plan", "plan-critic", "qa", "de", "review"]);

type Path = readonly string[];

/** Every key below `on` and `first`, every counter with a limit, that limit, and every gate. */
function removable(name: string): readonly Path[] {
  const found: Path[] = [];
  const walk = (node: YAMLMap, path: Path): void => {
    for (const { key, value } of node.items) {
      const here = [...path, String(key)];
      const inside = path.at(-1) ?? "";
      const isLimit = inside === "counters" || key?.toString() === "limit";
      if (["on", "first"].includes(inside) || isLimit || (path.length === 1 && inside === "gates"))
        found.push(here);
      if (isMap(value)) walk(value, here);
    }
  };
  const { contents } = parseDocument(text(name));
  if (isMap(contents)) walk(contents, []);
  return found;
}

function without(name: string, path: Path): string {
  const document = parseDocument(text(name));
  document.deleteIn(path);
  return document.toString();
}

/** The reported problems as `code: machine/state: message`. */
function problemsOf(name: string, changed: string): readonly string[] {
  const sources = new Map(
    names.map((each) => [each, { file: `${each}.yaml`, text: each === name ? changed : text(each) }]),
  );
  const { protocol, faults, walkable } = examineProtocol(name, sources);
  const problems = walkable ? checkProtocol(protocol, { templates }) : [];
  return [
    ...faults.map(({ file, line, message }) => `${file}:${line}: leads_nowhere: ${message}`),
    ...problems.map(
      ({ code, machine, state = "", at, message }) =>
        `${at.file}:${at.line}: ${code}: ${machine}/${state}: ${message}`,
    ),
  ];
}

/** The state that a removal affects; a counter or gate may affect several. */
function stateOf(path: Path): string {
  const at = Math.max(path.lastIndexOf("on"), path.lastIndexOf("first"));
  return at === -1 ? "" : (path[at - 1] ?? "");
}

/** The protocol itself defines a person's answers, and routes of a base still apply. */
const asks = ["changes", "quality", "failed", "disputed"];
const inherited = ["dispute.on.RC", "dispute_gate.on.pass", "design.on.PC", "replan.on.PC"];

describe.each(["dptr", "riper"] as const)("%s", (name) => {
  verifies(
    "TDP-03",
    "is refused, with file, line and state, without any one of its routes, limits and gates",
    () => {
      const unnamed: string[] = [];
      let looked = 0;
      for (const path of removable(name)) {
        const short = path.slice(-3).join(".");
        if (
          asks.includes(stateOf(path)) ||
          (inherited.includes(short) && !(name === "dptr" && short === "design.on.PC"))
        )
          continue;
        looked += 1;
        const lines = problemsOf(name, without(name, path));
        expect([short, lines.length > 0]).toEqual([short, true]);
        for (const line of lines) expect(line).toMatch(/^(?:dptr|riper)\.yaml:\d+: \w+: \w+/u);
        if (!lines.some((line) => line.includes(stateOf(path)))) unnamed.push(short);
      }
      expect(looked).toBeGreaterThan(name === "dptr" ? 40 : 3);
      // The route of `failed` then applies: every status has a route, and the unreachable state is reported.
      expect(unnamed).toEqual(name === "dptr" ? ["cycles.first.failed.quality"] : []);
    },
  );
});

describe("mettle protocol check", () => {
  let stage: Stage;
  beforeAll(async () => void (stage = await createStage()));

  verifies(
    "TDP-03",
    "accepts both as shipped, and exits 1 if the last gate before the review is bypassed",
    async () => {
      for (const name of ["riper", "dptr"])
        expect((await stage.here(["protocol", "check", name])).code).toBe(0);
      for (const [removed, state] of [
        [["machines", "audit", "states", "critic", "on", "REVISE"], "audit/critic"],
        [["machines", "main", "states", "critic", "on", "PA"], "main/critic"],
        [["machines", "main", "counters", "plan_rounds"], "main/critic"],
        [["gates", "suite"], "main/suite"],
      ] as const) {
        await stage.repository.write({ ".mettle/protocols/dptr.yaml": without("dptr", removed) });
        const called = await stage.here(["protocol", "check", "dptr"]);
        expect(called.code).toBe(1);
        expect(called.stdout).toMatch(new RegExp(`dptr\\.yaml:\\d+:\\d+: \\w+: ${state}: `, "u"));
      }
      const ungated = text("dptr")
        .replace(/^ {6}suite: \{.*\}$/mu, "")
        .replace("done: { to: suite,", "done: { to: review,");
      await stage.repository.write({ ".mettle/protocols/dptr.yaml": ungated });
      const called = await stage.here(["protocol", "check", "dptr"]);
      expect([called.code, called.stderr]).toEqual([1, ""]);
      expect(called.stdout).toMatch(/dptr\.yaml:\d+:\d+: unproven_complete: main\/review: /u);
    },
  );
});
