/**
 * The driver's /plan: specialists survey segments in parallel, a person decides, prompts are written (ENV-85).
 * @module-tag ci
 */
import { beforeAll, expect, vi } from "vitest";
import { verifies } from "../verifies.ts";
import { createStepsWorld, surveyed, type StepsWorld } from "./world.ts";

vi.setConfig({ testTimeout: 180_000 });

let world: StepsWorld;
beforeAll(async () => void (world = await createStepsWorld()));

const order = (agent: string, context: string, more = "") =>
  `Run \`envoy protocol discovery\` and follow the steps. INPUTS: \`{ agent_name: ${agent}, segment_context: ${context}${more} }\``;

verifies(
  "ENV-85",
  "two segments of one specialist go to backend_1 and backend_2, and only the one to change is dispatched again",
  async () => {
    await world.repository.write({ ".claude/agents/backend.md": "---\nname: backend\n---\nThe server.\n" });
    const report = { status: "DONE", message: "written", payload: { success: true } };
    await world.cassette(
      {
        planner: [
          {
            expects: ["Sell things", "The specialists of this repository: backend, surveyor."],
            does: [
              { shell: 'envoy plan write-plan --title Shop --objective "Sell things" --context "A shop"' },
            ],
            report: {
              status: "SEGMENTS",
              message: "three",
              payload: {
                segments: [
                  { specialist: "backend", requirements: "Prices" },
                  { specialist: "backend", requirements: "Stock" },
                  { specialist: "surveyor", requirements: "Docs" },
                ],
                bug: false,
              },
            },
          },
          { report: { status: "DONE", message: "written" } },
          {
            expects: ["the plan has no prompts"],
            does: [
              {
                shell:
                  "envoy plan get-finding-approach backend_1 1 && envoy plan write-prompt 1 --description Prices --context How --criteria Works --files src/a.ts",
              },
            ],
            report: { status: "DONE", message: "written" },
          },
        ],
      },
      {
        backend_1: {
          worker: [
            {
              expects: [order("backend_1", "Prices")],
              does: [{ shell: surveyed("backend_1", "Whole cents") }],
              report,
            },
            {
              expects: [
                order(
                  "backend_1",
                  "Prices",
                  ", approach_references: [{ specialist_name: backend_1, approach_num: 1 }]",
                ),
              ],
              does: [
                {
                  shell: `envoy plan get-finding-approach backend_1 1 && ${surveyed("backend_1", "Fractions")}`,
                },
              ],
              report,
            },
          ],
        },
        backend_2: {
          worker: [
            {
              expects: [order("backend_2", "Stock")],
              forbids: ["You have begun already"],
              does: [{ shell: surveyed("backend_2", "A table") }],
              report,
            },
          ],
        },
        surveyor: {
          worker: [
            {
              expects: [order("surveyor", "Docs")],
              does: [{ shell: surveyed("surveyor", "A page") }],
              report,
            },
          ],
        },
      },
    );
    const asked = await world.run(["run", "Sell things", "--protocol", "plan"]);
    const { run } = asked.json as { run: string };
    expect([asked.code, asked.json["waiting"]]).toMatchObject([
      3,
      { kind: "plan_gate", shown: expect.stringContaining("findings_gate waits for you") as string },
    ]);
    await world.answer("findings_gate", {
      "approach_feedback.backend_1_1.user_required_changes": "Fractions, please",
    });
    const changed = await world.run(["resume", run]);
    expect([changed.code, changed.json["waiting"]]).toMatchObject([3, { kind: "plan_gate" }]);
    expect(await world.fields("findings/backend_1.yaml")).toMatchObject({
      approaches: [{ description: "Fractions", pending_refinement: null }],
    });
    await world.answer("findings_gate", { thoughts: "Good" });
    const ended = await world.run(["resume", run]);
    expect([ended.code, ended.json["status"]]).toEqual([0, "complete"]);
    expect(await world.fields("prompts/1.md")).toMatchObject({
      description: "Prices",
      status: "unimplemented",
    });
    const started = (await world.events(run)).filter(({ type }) => type === "dispatch.started");
    expect(started.map(({ node }) => node).toSorted()).toEqual(
      ["backend_1", "backend_1", "backend_2", "surveyor", undefined, undefined, undefined].toSorted(),
    );
  },
);
