/** Reads pytest's JUnit file (family xunit1, which names each test's file). */
import type { TestResult } from "../../evidence/test-result.ts";

export function readJunit(xml: string): ReadonlyMap<string, TestResult["status"]> {
  const found = new Map<string, TestResult["status"]>();
  for (const [, head = "", rest = ""] of xml.matchAll(/<testcase\b([^>]*?)(\/>|>[\s\S]*?<\/testcase>)/g)) {
    const attributes = new Map(
      [...head.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, unescaped(value)]),
    );
    const file = attributes.get("file");
    if (file === undefined) continue;
    const module = file.replace(/\.py$/, "").replaceAll("/", ".");
    const classes = (attributes.get("classname") ?? "").slice(module.length + 1);
    const name = attributes.get("name") ?? "";
    // With a bracket in the path pytest cannot split off the class: the name is the whole node id.
    const whole = file.includes("[") && attributes.get("classname") === "" ? name.split("::").slice(1) : null;
    const id =
      whole !== null
        ? [file, ...whole].join("::")
        : [file, ...(classes === "" ? [] : classes.split(".")), name].join("::");
    found.set(
      id,
      /<(?:failure|error)\b/.test(rest) ? "failed" : /<skipped\b/.test(rest) ? "skipped" : "passed",
    );
  }
  return found;
}

function unescaped(text: string): string {
  const names: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: "<", gt: ">", amp: "&" };
  return text.replace(/&(?:#(\d+)|(\w+));/g, (whole, code?: string, name?: string) =>
    code === undefined ? (names[name ?? ""] ?? whole) : String.fromCodePoint(Number(code)),
  );
}
