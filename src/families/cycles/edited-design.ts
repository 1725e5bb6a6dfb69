/**
 * Handles a person's edit of the approved design in σ₂. The approval lapses: the edited text becomes the run's design
 * and is audited again (TDP-61). Text elsewhere in σ₂ is ignored.
 */
import { AppError } from "../../lib/errors.ts";
import { canonicalJson } from "../../lib/hash.ts";
import { issuesText } from "../../lib/plain-issues.ts";
import { DesignPayload } from "../../gates/payloads/design.ts";
import { readFields } from "../../memory/bank/fields.ts";
import type { RunEvent } from "../../log/run-event.ts";
import type { RunContext } from "../../run/context.ts";
import { isOfWorkers } from "../../run/run-host.ts";
import { currentMode } from "./active-state.ts";
import { cycleNumber } from "./cycle.ts";
import { moduleItems } from "./payload-kinds.ts";
import { changedDesign, designFields, designInBank, modulesIn } from "./memory-bank.ts";

/** Returns the changed sections; empty if there are none, or if the design no longer decides what comes next. */
export async function takeEditedDesign(context: RunContext): Promise<readonly string[]> {
  const { session, payloads } = context;
  if (isOfWorkers(context) || !isOpenToEdits(context)) return [];
  const changed = await changedDesign(context);
  const before = session.view.documents["design"];
  if (changed.length === 0 || before === undefined) return [];
  const design = await designOf(context);
  const { key } = before;
  const written = (name: string, ref: string): RunEvent => ({
    type: "document.written",
    name,
    ref,
    by: "person",
    key,
  });
  await session.signal(
    {
      event: "design_changed",
      why: `σ₂ changed: ${changed.join(", ")}`,
      interrupts: true,
      ...moduleItems(design),
    },
    [
      written("design", await payloads.put(canonicalJson(design))),
      written("σ₂", await payloads.put(await designInBank(context))),
    ],
  );
  return changed;
}

/** True from the approval until the first agent of a cycle starts. */
function isOpenToEdits(context: RunContext): boolean {
  const { state, view } = context.session;
  if (state.ended !== null || state.frames["main"]?.facts["design_approved"] !== true) return false;
  const mode = currentMode(context);
  if (mode === "Ω₃ᴾ" || mode === "Ω₄ᶜ") return true;
  const begun = Object.keys(view.dispatches).some((key) => {
    const command = view.commands[key]?.command;
    return command !== undefined && cycleNumber(context, command) !== null;
  });
  return mode === "Ω₅ᵀ" && !begun;
}

async function designOf({ repository }: RunContext): Promise<DesignPayload> {
  const { module_specifications, ...texts } = await readFields(repository.root, 2, designFields);
  const read = DesignPayload.safeParse({
    ...texts,
    module_specifications: modulesIn(module_specifications ?? ""),
  });
  if (read.success) return read.data;
  throw new AppError(
    "memory_unreadable",
    `σ₂ was changed and is not a valid design now: ${issuesText(read.error)}`,
    {
      hint: "correct memory-bank/systemPatterns.md: Architecture Design, Module Specifications with `### name` headings, Tech Stack",
    },
  );
}
