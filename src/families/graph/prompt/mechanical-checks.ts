/** The checks that the runtime executed before a review, with what their records contain (V3-33, 35). */
import { shortList } from "../../../gates/check.ts";
import { counted } from "../../../lib/counted.ts";
import type { Verdict } from "../../../gates/verdict.ts";
import type { Recorded, EventOf } from "../../../log/run-event.ts";
import { parseRecord, type EvidenceRecord } from "../../../evidence/record.ts";
import type { MechanicalCheck } from "../../../protocol/graph-types/briefing.ts";
import type { RunContext } from "../../../run/context.ts";
import { specOf } from "../facts.ts";
import { resultsOf } from "../history.ts";
import type { Node } from "../node.ts";

/** Checks of the newest accepted work of Impl; empty if there is none. */
export async function mechanicalChecks(context: RunContext, node: Node): Promise<MechanicalCheck[]> {
  const green = await passedGate(context, node, "node_green");
  if (green === null) return [];
  const records = await recordsOf(context, green.key);
  const gate = records.findLast(({ purpose }) => purpose === "green") ?? null;
  const builds = records.filter(({ purpose }) => purpose === "green.build");
  const runs = records.filter(({ purpose }) => purpose === "green.tests");
  const { targetPath } = await specOf(context, node.entry);
  const result = (name: string): MechanicalCheck["result"] =>
    green.verdict.checks.some((check) => check.name === name && check.verdict === "pass") ? "pass" : "fail";
  const sure = gate === null ? "" : `; the gate ended with exit code ${gate.exitCode} (${gate.id})`;
  return [
    builds.length === 0
      ? { name: "build", result: "unchecked", detail: "not checked, the project has no build" }
      : { name: "build", result: result("build"), detail: builds.map(describeRun).join("; ") },
    { name: "tests", result: result("required"), detail: runs.map(describeRunOf(green.verdict)).join("; ") },
    {
      name: "implemented",
      result: result("implemented"),
      detail: `nothing in ${targetPath} is left unimplemented${sure}`,
    },
    {
      name: "interface",
      result: result("interface"),
      detail: `interface and contract suite are unchanged since the scaffold${sure}`,
    },
    ...(await publicApi(context, node)),
  ];
}

/** The checks executed on the squash before the Merger is dispatched. */
export async function mergeChecks(context: RunContext, node: Node): Promise<MechanicalCheck[]> {
  const squash = await passedGate(context, node, "squash");
  if (squash === null) return [];
  const records = await recordsOf(context, squash.key);
  const steps = [
    ["build", "build", "not checked, the project has no build"],
    ["contract suite", "contract", "not run"],
    ["integration tests", "tests", "there are none to run"],
  ] as const;
  return steps.map(([name, purpose, missing]): MechanicalCheck => {
    const runs = records.filter((record) => record.purpose === `squash.${purpose}`);
    return runs.length === 0
      ? { name, result: "unchecked", detail: missing }
      : { name, result: "pass", detail: runs.map(describeRunOf(squash.verdict)).join("; ") };
  });
}

/** Listed only if no parser could check it: a test outside the public API is refused. */
async function publicApi(context: RunContext, node: Node): Promise<MechanicalCheck[]> {
  const red = await passedGate(context, node, "node_red");
  const isUnchecked = red?.verdict.findings.some(({ code }) => code === "public_api") === true;
  return isUnchecked ? [{ name: "public API", result: "unchecked", detail: "not checked" }] : [];
}

function describeRun(record: EvidenceRecord): string {
  const { title, argv, exitCode, runner, tests, id } = record;
  const passed = tests.filter(({ status }) => status === "passed").length;
  const what = title ?? runner?.name ?? argv.join(" ");
  const count = runner === null ? "" : `, ${passed} of ${counted(tests.length, "test")} passed`;
  return `\`${what}\` ended with exit code ${exitCode ?? "none"}${count} (${id})`;
}

/** A passed run may have another exit code than 0; then the reason is added. */
function describeRunOf({ verdict }: Verdict): (record: EvidenceRecord) => string {
  return (record) => {
    const failing = record.tests.filter(({ status }) => status === "failed").map(({ id }) => id);
    if (verdict !== "pass" || record.exitCode === 0) return describeRun(record);
    const which = failing.length === 0 ? "see the record" : shortList(failing);
    return `${describeRun(record)}; what failed did so before this work too, and need not pass here: ${which}`;
  };
}

async function passedGate(
  context: RunContext,
  { frame }: Node,
  gate: string,
): Promise<{ readonly key: string; readonly verdict: Verdict } | null> {
  const passed = resultsOf(context, frame).findLast(
    ({ command, outcome }) =>
      "gate" in command && command.gate === gate && ["pass", "ready"].includes(outcome),
  );
  const judged = context.session.view.judged.findLast(({ key }) => key === passed?.key);
  if (judged === undefined) return null;
  return { key: judged.key, verdict: JSON.parse(await context.payloads.text(judged.ref)) as Verdict };
}

async function recordsOf({ session, payloads }: RunContext, key: string): Promise<readonly EvidenceRecord[]> {
  const written: readonly Recorded<EventOf<"record.written">>[] = session.view.records;
  const own = written.filter((record) => record.key === key);
  return Promise.all(own.map(async ({ ref }) => parseRecord(JSON.parse(await payloads.text(ref)))));
}
