/** The position of a run of RIPER or DPTR: mode, DPTR's alias, loop, and the protocol's header line (DPT-01). Pure. */
import { aliases, loopOf, loops, modes, type Loop, type Mode } from "../../notation/modes.ts";
import type { RunView } from "../../log/run-view.ts";

export interface RunMode {
  readonly mode: Mode;
  /** DPTR's name for the mode; null in riper. */
  readonly alias: string | null;
  readonly loop: Loop;
}

/** The current mode; null in a protocol without modes. */
export function modeOfRun({ order, commands, started }: RunView): RunMode | null {
  const name = order.map((key) => commands[key]?.command.mode).findLast((mode) => mode !== undefined);
  const mode = modes.find((entry) => entry.mode === name)?.mode;
  if (mode === undefined) return null;
  return { mode, alias: started?.protocol === "riper" ? null : aliases[mode], loop: loopOf(mode) };
}

/** RIPER's FLOW, in the notation of its seed. */
const flow = "Ω₁ᴾ→Ω₂ᴬ→(Ω₃ᴾ⟷Ω₄ᶜ)→Ω₅ᵀ→Ω₆ⱽ";

/** DPTR: `Ω₁: Design Loop → [Ω₂: Plan Loop] → …  Ω₃ᴾ=Ω₂ˢ`, RIPER: `Ω₁ᴾ→Ω₂ᴬ→([Ω₃ᴾ]⟷…`; brackets mark the current one. */
export function loopLine(view: RunView): string | null {
  const shown = modeOfRun(view);
  if (shown === null) return null;
  if (shown.alias === null) return flow.replace(shown.mode, `[${shown.mode}]`);
  const line = Object.entries(loops)
    .map(([loop, name]) => (loop === shown.loop ? `[${loop}: ${name}]` : `${loop}: ${name}`))
    .join(" → ");
  return `${line}  ${shown.mode}${shown.alias === shown.mode ? "" : `=${shown.alias}`}`;
}
