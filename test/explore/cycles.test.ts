/** DPTR and RIPER through their routes: failures come first at each state, and each question is answered as printed. */
import { expect, test } from "vitest";
import { createCyclesWorld, oneCycle } from "../cycles/world.ts";
import { samples, wide } from "../wide.ts";
import { crash, explore, reports, type Move, type Moves } from "./explorer.ts";

const issues = [{ problem: "slugify is too vague", suggestion: "say what it takes" }];
const findings = { findings: ["src/slugify.js: the name is wrong"] };

async function moves(): Promise<Moves> {
  const { designer, planner, qa, de } = (await oneCycle()).roles;
  const [design] = designer;
  const [plan] = planner;
  const payload = design?.report?.payload as { module_specifications: unknown[] };
  payload.module_specifications = payload.module_specifications.slice(0, 1);
  const planned = { report: plan?.report };
  const [red, ,] = qa;
  const written = { does: red?.does?.filter((step) => "write" in step) ?? [], report: red?.report } as Move;
  const right = { does: de[0]?.does?.filter((step) => "write" in step) ?? [], report: de[0]?.report } as Move;
  const wrong: Move = {
    does: [{ write: { path: "src/slugify.js", content: "export function slugify() {\n  return '';\n}\n" } }],
    report: { status: "GC", message: "done" },
  };
  const cheat: Move = {
    does: [...(right.does ?? []), { write: { path: "test/slugify.test.js", content: "\n" } }],
    report: { status: "GC", message: "done" },
  };
  return {
    design: [crash, reports("BL"), reports("ME"), reports("EX"), { report: design?.report } as Move],
    arch: [reports("TO"), reports("REVISE", { issues }), reports("ACCEPT")],
    "audit/slugify/critic": [reports("BL"), reports("REVISE", { issues }), reports("ACCEPT")],
    plan: [reports("EN"), reports("TO"), planned as Move],
    critic: [reports("NR"), reports("EN"), reports("NR"), reports("PA")],
    replan: [reports("DG"), { report: { ...plan?.report, status: "PR" } } as Move],
    red: [crash, reports("RC"), written],
    green: [reports("TI"), wrong, reports("TI"), cheat, reports("TI"), reports("BL"), right],
    dispute: [reports("RC"), reports("TA"), written],
    test: [reports("EN"), reports("RTC")],
    impl: [reports("EN"), reports("RIC")],
    de_review: [reports("NEEDS_CHANGE", findings), reports("APPROVED")],
    qa_review: [reports("NEEDS_CHANGE", findings), reports("APPROVED")],
    review: [reports("NEEDS_CHANGE", findings)],
    review_failed: [reports("NEEDS_CHANGE", findings), reports("APPROVED")],
  };
}

/** One failure for each question to a person. */
function fewer({ replan: _, ...all }: Moves): Moves {
  const [disputes, wrong] = all["green"] ?? [];
  const [stands] = all["dispute"] ?? [];
  if (!disputes || !wrong || !stands) throw new Error("there is too little that goes wrong");
  const last = Object.entries(all).map(([place, moves]) => [place, moves.slice(-1)] as const);
  const rights: Moves = Object.fromEntries(last);
  return {
    ...rights,
    "audit/slugify/critic": all["audit/slugify/critic"]?.slice(-2) ?? [],
    green: [disputes, wrong, ...(rights["green"] ?? [])],
    dispute: [stands],
  };
}

async function files(): Promise<Readonly<Record<string, string>>> {
  const { repository } = await createCyclesWorld();
  const paths = (await repository.git("ls-files")).split("\n");
  const texts = await Promise.all(paths.map((path) => repository.git("show", `HEAD:${path}`)));
  return Object.fromEntries(paths.map((path, at) => [path, `${texts[at] ?? ""}\n`]));
}

const protocols = ["dptr", "riper"] as const;
const orders = wide ? [0, 1, 2] : [0];

// Each order gives another answer first, at each question.
for (const protocol of samples(protocols))
  test.each(orders)(
    `${protocol} comes to its end from each question, in order %i`,
    { tags: "ci", timeout: 600_000 },
    async (turn) => {
      const { arch, ...others } = wide ? await moves() : fewer(await moves());
      const explored = await explore({
        files: await files(),
        moves: { ...others, ...(protocol === "riper" ? { arch: arch ?? [] } : {}) },
        start: ["Add slugify(text)", "--protocol", protocol],
        order: turn,
      });

      expect(explored.faults).toEqual([]);
      const isRejected = explored.given.at(-1)?.includes("mettle reject") === true;
      expect(explored.status.status).toBe(isRejected ? "failed" : "complete");
    },
  );
