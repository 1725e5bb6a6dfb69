/** Reads the plan of a session's plan mode as the design of Ω₁ᴾ: three headings, with modules below one of them (TDP-06). */
import { sectionsOf, type Section } from "../lib/headings.ts";

export interface Design {
  readonly architecture_design: string;
  readonly module_specifications: readonly { readonly name: string; readonly specification: string }[];
  readonly tech_stack: string;
}

const headings = ["Architecture Design", "Module Specifications", "Tech Stack"] as const;

export type ParsedPlan =
  | { readonly type: "design"; readonly design: Design }
  /** Headings that are missing, or have no text. */
  | { readonly type: "missing"; readonly missing: readonly string[] };

export function readPlan(text: string): ParsedPlan {
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

/** Ignores numbers, emphasis and case: `2. **Tech stack:**` is the heading Tech Stack. */
function isNamed(title: string, name: string): boolean {
  const plain = title
    .replace(/[*_`]/gu, "")
    .replace(/^[\d.)\s]+/u, "")
    .replace(/[:\s]+$/u, "");
  return plain.toLowerCase() === name.toLowerCase();
}

/** Modules are the sub-headings, else the list entries, else the whole section is one module. */
function modulesOf({ level, body }: Section): Design["module_specifications"] {
  const inner = sectionsOf(`\n${body}`); // the line break keeps `---` from starting front matter
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

/** A module's name is part of dispatch lines, so it has no spaces. */
function nameOf(title: string): string {
  const quoted = /`([^`]+)`/u.exec(title)?.[1];
  const name = (quoted ?? title)
    .replace(/^[\d.)\s]+/u, "")
    .replace(/[^\p{L}\p{N}_./-]+/gu, "-")
    .replace(/^[^\p{L}\p{N}]+|-+$/gu, "");
  return name === "" ? "module" : name;
}
