/** A plan of a session's own plan mode, read as the design that Ω₁ᴾ delivers: three headings, and modules below one (TDP-06). */
import { fencesOf } from "../lib/markdown.ts";

export interface Design {
  readonly architecture_design: string;
  readonly module_specifications: readonly { readonly name: string; readonly specification: string }[];
  readonly tech_stack: string;
}

const headings = ["Architecture Design", "Module Specifications", "Tech Stack"] as const;

export type PlanRead =
  | { readonly type: "design"; readonly design: Design }
  /** Headings that are not there, or have nothing below them. */
  | { readonly type: "missing"; readonly missing: readonly string[] };

export function readPlan(text: string): PlanRead {
  const sections = sectionsOf(text);
  const found = headings.map((name) => sections.find((section) => isNamed(section.title, name)));
  const missing = headings.filter((_, index) => (found[index]?.body ?? "").trim() === "");
  const [architecture, modules, stack] = found;
  if (missing.length > 0 || !architecture || !modules || !stack) return { type: "missing", missing };
  return {
    type: "design",
    design: {
      architecture_design: architecture.body.trim(),
      module_specifications: modulesOf(modules),
      tech_stack: stack.body.trim(),
    },
  };
}

interface Section {
  readonly level: number;
  readonly title: string;
  /** Up to the next heading of the same level or above. */
  readonly body: string;
}

function sectionsOf(text: string): readonly Section[] {
  const lines = text.split(/\r?\n/u);
  const heads = headsOf(lines);
  return heads.map(({ at, level, title }) => {
    const next = heads.find((other) => other.at > at && other.level <= level);
    return { level, title, body: lines.slice(at + 1, next?.at).join("\n") };
  });
}

function headsOf(lines: readonly string[]) {
  const fences = fencesOf(lines);
  return lines.flatMap((line, at) => {
    const head = fences[at]?.role === null ? /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/u.exec(line) : null;
    return head === null ? [] : [{ at, level: head[1]?.length ?? 1, title: head[2] ?? "" }];
  });
}

/** `2. **Tech stack:**` is the heading Tech Stack. */
function isNamed(title: string, name: string): boolean {
  const plain = title
    .replace(/[*_`]/gu, "")
    .replace(/^[\d.)\s]+/u, "")
    .replace(/[:\s]+$/u, "");
  return plain.toLowerCase() === name.toLowerCase();
}

/** Headings below, else the entries of a list, else the whole as one module. */
function modulesOf({ level, body }: Section): Design["module_specifications"] {
  const inner = sectionsOf(body);
  const top = Math.min(...inner.map((section) => section.level));
  const named = inner
    .filter((section) => section.level === top && section.level > level)
    .map(({ title, body: specification }) => ({ title, specification: specification.trim() }));
  const modules = named.length > 0 ? named : entriesOf(body);
  if (modules.length === 0) return [{ name: "main", specification: body.trim() }];
  const taken = new Set<string>();
  return modules.map(({ title, specification }) => {
    const wanted = nameOf(title);
    let name = wanted;
    for (let number = 2; taken.has(name); number += 1) name = `${wanted}-${number}`;
    taken.add(name);
    return { name, specification: specification === "" ? title : specification };
  });
}

function entriesOf(body: string): readonly { readonly title: string; readonly specification: string }[] {
  return [
    ...body.matchAll(
      /^[-*+]\s+(?:\*\*|`)?([^\n:*`]+?)(?:\*\*|`)?\s*:(?:\*\*)?\s*([\s\S]*?)(?=\n[-*+]\s|$(?![\s\S]))/gmu,
    ),
  ].map(([, title = "", text = ""]) => ({ title, specification: text.trim() }));
}

/** A module's name stands in dispatch lines, so it has no blanks. */
function nameOf(title: string): string {
  const quoted = /`([^`]+)`/u.exec(title)?.[1];
  const name = (quoted ?? title)
    .replace(/^[\d.)\s]+/u, "")
    .replace(/[^\p{L}\p{N}_./-]+/gu, "-")
    .replace(/^[^\p{L}\p{N}]+|-+$/gu, "");
  return name === "" ? "module" : name;
}
