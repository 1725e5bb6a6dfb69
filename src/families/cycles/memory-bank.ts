/** Updates the memory bank in the main checkout: σ₂ after a design, σ₄ and σ₅ after every event (TDP-05, TDP-51). */
import { maskValue } from "../../lib/mask.ts";
import { createBank } from "../../memory/bank/create.ts";
import { readFields, writeFields } from "../../memory/bank/fields.ts";
import { hasMemoryBank } from "../../memory/bank/files.ts";
import { progressText } from "../../memory/bank/progress-text.ts";
import { projectPart, type ProjectedName } from "../../memory/bank/projection.ts";
import { stateText } from "../../memory/bank/state-text.ts";
import { DesignPayload } from "../../gates/payloads/design.ts";
import { headingsOf, linesOf } from "../../lib/headings.ts";
import { canonicalJson, sha256 } from "../../lib/hash.ts";
import type { RunContext } from "../../run/context.ts";
import { isOfWorkers } from "../../run/run-host.ts";
import { activeState } from "./active-state.ts";
import { progressOf } from "./progress.ts";
import { storeText } from "../../run/stored-text.ts";

export async function projectMemoryBank(context: RunContext): Promise<void> {
  if (!hasMemoryBank(context.protocol)) return;
  const { repository, protocol } = context;
  await createBank(repository.root, { protection: protocol.features["protection"] === true });
  await writeDesign(context);
  await projectState(context, "σ₄", stateText(await activeState(context)));
  await projectState(context, "σ₅", progressText(await progressOf(context)));
}

/** The run's own part is never read back; a person's edit of it is stored and reported. */
async function projectState(context: RunContext, name: ProjectedName, text: string): Promise<void> {
  const { edited } = await projectPart(context.repository.root, name, text, null);
  if (edited === null) return;
  const ref = await storeText(context, edited);
  const message = `${name} was changed by hand between its markers; it was written again from the journal; \`mettle show ${ref}\` prints the changed text`;
  await context.session.record([{ type: "warned", code: "memory_edited", message }]);
}

export const designFields = ["architecture_design", "module_specifications", "tech_stack"] as const;

/**
 * σ₂ is written once per design; afterwards the text belongs to the person. Workers write it each time: another host may have written
 * it first.
 */
async function writeDesign(context: RunContext): Promise<void> {
  const { session, payloads, repository } = context;
  const { documents } = session.view;
  const { design, "σ₂": written } = documents;
  if (design === undefined) return;
  const isWritten = written?.key === design.key;
  if (isWritten && !isOfWorkers(context)) return;
  const { architecture_design, module_specifications, tech_stack } = DesignPayload.parse(
    JSON.parse(await payloads.text(design.ref)),
  );
  await writeFields(repository.root, 2, {
    architecture_design,
    module_specifications: modulesText(module_specifications),
    tech_stack,
  });
  if (isWritten) return;
  const ref = await payloads.put(await designInBank(context));
  await session.record([{ type: "document.written", name: "σ₂", ref, by: "runtime", key: design.key }]);
}

type Modules = DesignPayload["module_specifications"];

function modulesText(modules: Modules): string {
  return modules.map(({ name, specification }) => `### ${name}\n\n${specification}`).join("\n\n");
}

/** Parses modules from text that a person may have edited: each heading of the first heading's level starts one. */
export function modulesIn(text: string): Modules {
  const lines = linesOf(text);
  const headings = headingsOf(lines);
  const level = headings[0]?.level;
  const starts = headings.filter((heading) => heading.level === level);
  return starts.map(({ title, after }, index) => ({
    name: title.replace(/^(`|\*\*)(.*)\1$/u, "$2"),
    specification: lines
      .slice(after, starts[index + 1]?.first)
      .map((line) => line.text)
      .join("\n")
      .trim(),
  }));
}

/** The three sections of σ₂ in one text, without secrets. */
export async function designInBank({
  repository,
  host,
}: Pick<RunContext, "repository" | "host">): Promise<string> {
  return canonicalJson(maskValue(await readFields(repository.root, 2, designFields), host.secrets));
}

/** The sections of σ₂ that changed since the run wrote them (TDP-61). */
export async function changedDesign(
  context: Pick<RunContext, "session" | "payloads" | "repository" | "host">,
): Promise<readonly string[]> {
  const { session, payloads } = context;
  const known = session.view.documents["σ₂"];
  if (known === undefined) return [];
  const now = await designInBank(context);
  if (sha256(now) === known.ref) return [];
  const [before, after] = [JSON.parse(await payloads.text(known.ref)), JSON.parse(now)] as Record<
    string,
    unknown
  >[];
  return designFields.filter((name) => before?.[name] !== after?.[name]);
}
