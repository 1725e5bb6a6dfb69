/** What the page shows of a run, and what its journal and records say, in the same words: the two have to be equal. */
import type { Page } from "playwright-core";
import { parseRecord, type EvidenceRecord } from "../../src/evidence/record.ts";
import type { Command } from "../../src/kernel/command.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import { costText } from "../../src/page/parts/words.ts";
import { openHost } from "../../src/run/host.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { eventsOf } from "../orchestrate/world.ts";
import { attributesOf, tableOf } from "./drawn.ts";
import type { SystemRun } from "./five-runs.ts";

export interface ToldRun {
  readonly status: string;
  readonly cost: string;
  /** Keys of what agents, gates and people did. */
  readonly steps: readonly string[];
  /** Each attempt at a gate, with its verdict. */
  readonly gates: readonly (readonly [key: string, verdict: string])[];
  readonly evidence: readonly (readonly [record: string, purpose: string, exit: string])[];
  /** Passed and failed tests by record, where tests ran. */
  readonly tests: Readonly<Record<string, readonly [passed: number, failed: number]>>;
  readonly dispatches: readonly string[];
  readonly commits: readonly string[];
  /** Each node with its parent. */
  readonly nodes: readonly string[];
  readonly answers: readonly string[];
}

export async function shownRun(page: Page): Promise<ToldRun> {
  const column = async (caption: string, ...labels: readonly string[]) =>
    (await tableOf(page, caption)).map((row) => labels.map((label) => row[label] ?? ""));
  const [verdict] = await attributesOf(page, ".verdict", "data-status");
  const steps = await attributesOf(page, "[data-picture=timeline] [data-key]", "data-key");
  const gates = await attributesOf(page, "[data-attempt]", "data-attempt", "data-value");
  const nodes = await attributesOf(page, "[data-node]", "data-node", "data-parent");
  const tests = await column("Runs of the tests", "Record", "Passed", "Failed");
  return {
    status: verdict?.["data-status"] ?? "",
    cost: (await page.locator("[data-figure=Cost]").textContent()) ?? "",
    steps: steps.map((step) => step["data-key"]).toSorted(),
    gates: gates.map((gate) => [gate["data-attempt"], gate["data-value"]] as const).toSorted(byKey),
    evidence: (await column("Records of the run", "Record", "Purpose", "Exit")).map(
      ([record = "", purpose = "", exit = ""]) => [record, purpose, exit],
    ),
    tests: Object.fromEntries(
      tests.map(([record = "", passed, failed]) => [record, [Number(passed), Number(failed)]] as const),
    ),
    dispatches: (await column("Prompts and output of agents", "Task")).map(([task = ""]) => task).toSorted(),
    commits: (await column("Commits of the run", "Commit")).map(([commit = ""]) => commit),
    nodes: nodes.map((node) => `${node["data-parent"]} ${node["data-node"]}`).toSorted(),
    answers: (await column("Answers of people", "Answer")).map(([answer = ""]) => answer.trim()),
  };
}

export interface Journal {
  readonly events: readonly Recorded[];
  readonly records: readonly EvidenceRecord[];
  text(address: string): Promise<string>;
  close(): Promise<void>;
}

export async function journalOf({ run, folder, env }: SystemRun): Promise<Journal> {
  const host = await openHost(folder, env);
  const events = (await host.journal.read(run)).map(recorded);
  const text = (address: string) => host.payloads.text(address);
  const records = await Promise.all(
    eventsOf(events, "record.written").map(async ({ ref }) => parseRecord(JSON.parse(await text(ref)))),
  );
  return { events, records, text, close: () => host.journal.close() };
}

export function journaledRun({ events, records }: Journal): ToldRun {
  const costs = eventsOf(events, "agent.used").map(({ costUsd }) => costUsd ?? 0);
  const began = [...new Set(eventsOf(events, "node.began").map(({ node }) => node))];
  // The other records repeat these results, or test the tests.
  const ran = records.filter(
    ({ purpose, tests }) => tests.length > 0 && /^baseline$|[.]tests$/u.test(purpose),
  );
  return {
    status: eventsOf(events, "run.ended").at(-1)?.outcome ?? "",
    cost: costText(costs.reduce((sum, cost) => sum + cost, 0)),
    steps: eventsOf(events, "command.issued")
      .filter(({ command }) => timed.has((command as Command).type))
      .map(({ key }) => key)
      .toSorted(),
    gates: eventsOf(events, "gate.judged")
      .map(({ key, verdict }) => [key, verdict] as const)
      .toSorted(byKey),
    evidence: records.map((record) => [record.id, record.purpose, String(record.exitCode ?? "none")]),
    tests: Object.fromEntries(
      ran.map(({ id, tests }) => [id, [count(tests, "passed"), count(tests, "failed")]]),
    ),
    dispatches: eventsOf(events, "dispatch.started")
      .map(({ key }) => key)
      .toSorted(),
    commits: eventsOf(events, "commit.made").map(({ commit }) => commit.slice(0, 10)),
    nodes: began.map((node) => `${parentOf(node)} ${node}`).toSorted(),
    answers: events.flatMap((event) => {
      if (event.type === "run.resumed") return [`go on ${event.text ?? ""}`.trim()];
      if (event.type !== "result" || event.by === undefined) return [];
      return [`${event.outcome} ${event.text ?? ""}`.trim()];
    }),
  };
}

const timed: ReadonlySet<Command["type"]> = new Set(["dispatch", "check", "ask", "merge", "rebase"]);

function count(tests: EvidenceRecord["tests"], wanted: string): number {
  return tests.filter(({ status }) => status === wanted).length;
}

function parentOf(node: string): string {
  return node.includes("--") ? node.slice(0, node.lastIndexOf("--")) : "";
}

function byKey(one: readonly [string, string], other: readonly [string, string]): number {
  return one[0].localeCompare(other[0]);
}
