/** RIPER's audits of a design: Λ₁ of the whole, Λ₂ of one module. The context of Ω₂ᴬ names one of them. Pure. */
import { AppError } from "../lib/errors.ts";
import { lookAlike, quoted, spelled } from "./spelling.ts";

export type Audit = { readonly level: "Λ₁" } | { readonly level: "Λ₂"; readonly module: string };

const levels = new Map<string, Audit["level"]>([
  ["Λ₁", "Λ₁"],
  ["L1", "Λ₁"],
  ["Λ₂", "Λ₂"],
  ["L2", "Λ₂"],
]);

/** Reads `Λ₁` or `Λ₂:module`, also with L1 and L2. @throws bad_param */
export function readAudit(text: string): Audit {
  const mark = text.indexOf(":");
  const level = levels.get(mark === -1 ? text : text.slice(0, mark));
  const module = mark === -1 ? "" : text.slice(mark + 1);
  if (level === "Λ₁" && mark === -1) return { level };
  if (level === "Λ₂" && module.trim() !== "") return { level, module };
  throw badAudit(text);
}

export function printAudit(audit: Audit): string {
  return audit.level === "Λ₁" ? audit.level : `${audit.level}:${audit.module}`;
}

function badAudit(text: string): AppError {
  const [name = ""] = text.split(":");
  const meant = levels.has(name) ? null : lookAlike(name, levels.keys());
  const rule = "write Λ₁ (L1) for the whole design, Λ₂:module (L2:module) for one module";
  return new AppError("bad_param", `${quoted(text)} is not an audit`, {
    hint: meant === null ? rule : `write ${spelled(meant)}; ${rule}`,
  });
}
