import { stringify } from "yaml";
import { AppError } from "../../lib/errors.ts";
import { parseRecord, type EvidenceRecord } from "../../evidence/record.ts";
import { readPointer } from "../../journal/payload-parts.ts";
import { withHost, type OpenHost } from "../../run/host.ts";
import { laterCommit } from "../../run/later-commit.ts";
import { findRun, maxListed } from "../../run/find-run.ts";
import { gateRows } from "../../families/cycles/gate-rows.ts";
import { recordCassette } from "../../engine/record-cassette.ts";
import { openRun } from "../../families/open-run.ts";
import { foldRun, foldRuns } from "../../run/list-runs.ts";
import { renderExecutionBlock } from "../../views/gate/execution-block.ts";
import { gateRowsText } from "../../views/gate/gate-rows.ts";
import { runStatus, statusText } from "../../views/run/status.ts";
import type { RunView } from "../../log/run-view.ts";
import { outputOf } from "../background/output-file.ts";
import type { CliResult, CommandHandler } from "../command.ts";
import { withTree } from "../with-tree.ts";

export const run: CommandHandler = async (io, given) => {
  const id = given.need("id");
  const node = given.text("node");
  const ref = given.text("payload");
  const html = given.text("html");
  return withHost(io.cwd, async (host) => {
    if (html !== null) {
      const { showHtml } = await import("../show/html.ts");
      return showHtml(host, { id, file: html, cwd: io.cwd });
    }
    if (ref !== null) return fieldOf(host, ref, given.text("pointer") ?? "");
    if (node !== null || given.flag("graph")) {
      const { showGraph, showMemory, showNode } = await import("../show/node.ts");
      const run = await findRun(host, id);
      if (node === null) return showGraph(host, run);
      return given.flag("memory") ? showMemory(host, run, node) : showNode(host, run, node);
    }
    if (given.flag("snapshot")) return snapshotOf(host, await findRun(host, id));
    return given.flag("gates") ? gatesOf(host, await findRun(host, id)) : await show(host, id);
  });
};

async function show(host: OpenHost, id: string): Promise<CliResult> {
  if (id.startsWith("sha256:")) return payload(host, id);
  const [name = "", part] = id.split("/");
  const { journal } = host;
  const runs = await journal.runsNamed(name, maxListed);
  const run = runs.includes(name) ? name : runs.length === 1 ? runs[0] : undefined;
  if (run !== undefined)
    return part === undefined ? showRun(host, run) : partOf(host, await foldRun(journal, run), part);
  if (runs.length > 1) throw unknown(id, runs, "is ambiguous");
  const question = (await foldRuns(journal))
    .flatMap(({ questions }) => questions)
    .findLast((one) => one.id === id);
  if (question)
    return {
      exit: 0,
      json: { question },
      text: `${question.id} (${question.topic}): ${question.text}\n${question.answer ?? "not answered yet"}`,
    };
  throw unknown(id, await journal.runs(maxListed), "is no run, record, payload or question");
}

async function gatesOf(host: OpenHost, run: string): Promise<CliResult> {
  const gates = await gateRows(await foldRun(host.journal, run), host.payloads);
  return { exit: 0, json: { run, gates }, text: gateRowsText(gates) };
}

async function snapshotOf(host: OpenHost, run: string): Promise<CliResult> {
  const { failureSnapshot, snapshotText } = await import("../../families/cycles/snapshot.ts");
  const snapshot = await failureSnapshot(await openRun(host, { run }));
  return { exit: 0, json: { run, snapshot }, text: snapshotText(snapshot) };
}

async function showRun(host: OpenHost, run: string): Promise<CliResult> {
  const view = await foldRun(host.journal, run);
  const owner = (await host.journal.owner(run))?.pid ?? null;
  const later = await laterCommit(host.repository, view);
  const status = await withTree(host, runStatus(view, { owner, later }));
  const frozen = Object.entries(view.frozen?.files ?? {});
  const { started } = view;
  const output = outputOf(host.home, view);
  const plan = await planText(host, view);
  const json = {
    ...status,
    base: started?.base ?? null,
    protocol_hash: started?.protocolRef ?? null,
    settings_hash: view.settingsRef,
    templates_hash: started?.templatesRef ?? null,
    frozen: Object.fromEntries(frozen),
    records: view.records.map(({ id, purpose, verdict, exitCode, phase }) => ({
      id,
      purpose,
      verdict,
      exit_code: exitCode,
      phase,
    })),
    phases: view.phases,
    output,
    documents: Object.fromEntries(Object.entries(view.documents).map(([name, { ref }]) => [name, ref])),
  };
  const lines = [
    statusText(status),
    `  base      ${started?.base ?? ""}`,
    `  protocol  ${started?.protocol ?? ""} ${started?.protocolRef ?? ""}`,
    `  settings  ${view.settingsRef}`,
    `  templates ${started?.templatesRef ?? ""}`,
    ...(output === null ? [] : [`  output    ${output}`]),
    ...(plan === null ? [] : [`  plan      ${plan}`]),
    ...view.records.map(
      ({ id, purpose, verdict, phase }) =>
        `  record    ${id}  ${purpose} ${verdict}${phase === null ? "" : `  (${phase})`}`,
    ),
    ...frozen.map(([path, hash]) => `  frozen    ${path}  ${hash}`),
    ...(status.mode === null
      ? []
      : status.waiting.flatMap(({ shown }) => (shown === null ? [] : ["", shown]))),
  ];
  return { exit: 0, json, text: lines.join("\n") };
}

/** Where the plan of a run on workers is here, or why it cannot be; null for other runs. */
async function planText(host: OpenHost, { run, started }: RunView): Promise<string | null> {
  if (started?.workers === undefined || started.steps === undefined) return null;
  const { placeHere } = await import("../background/hand-over.ts");
  try {
    return await placeHere(await openRun(host, { run }));
  } catch (error) {
    if (error instanceof AppError) return `${error.message}; ${error.hint}`;
    throw error;
  }
}

/** The run as a cassette; save it to a file to play it: `mettle run … --agent scripted:FILE`. */
async function cassetteOf(host: OpenHost, { run }: RunView): Promise<CliResult> {
  const cassette = await recordCassette(host, run);
  return { exit: 0, json: { cassette }, text: stringify(cassette).trimEnd() };
}

async function partOf(host: OpenHost, view: RunView, part: string): Promise<CliResult> {
  if (part === "cassette") return cassetteOf(host, view);
  const ref = view.documents[part]?.ref;
  if (ref !== undefined) return payload(host, ref);
  const event = view.records.find(({ id }) => id === `${view.run}/${part}`);
  if (!event)
    throw unknown(
      `${view.run}/${part}`,
      [
        ...view.records.map(({ id }) => id),
        ...Object.keys(view.documents).map((name) => `${view.run}/${name}`),
      ],
      "is no record or document",
    );
  const record = await readRecord(host, event.ref);
  const inner = await Promise.all(
    view.records.filter(({ id }) => record.inner.includes(id)).map((other) => readRecord(host, other.ref)),
  );
  return { exit: 0, json: { record }, text: renderExecutionBlock(record, { lines: 20, inner }) };
}

async function readRecord(host: OpenHost, ref: string): Promise<EvidenceRecord> {
  return parseRecord(JSON.parse(await host.payloads.text(ref)));
}

/** Reads only the parts of the payload on the way to the field (V3-57). */
async function fieldOf({ payloads }: OpenHost, address: string, pointer: string): Promise<CliResult> {
  const value = await readPointer(payloads, { ref: address, pointer });
  return { exit: 0, json: { address, pointer, value }, text: JSON.stringify(value, null, 2) };
}

async function payload(host: OpenHost, address: string): Promise<CliResult> {
  const text = await host.payloads.text(address);
  return { exit: 0, json: { address, text }, text: text.trimEnd() };
}

function unknown(id: string, candidates: readonly string[], why: string): AppError {
  return new AppError("run_unknown", `${id} ${why}`, {
    hint: candidates.length === 0 ? "`mettle status`" : `candidates: ${candidates.slice(-12).join(", ")}`,
    detail: { candidates },
  });
}
