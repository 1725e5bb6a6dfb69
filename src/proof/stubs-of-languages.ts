/** Finds the stubs that tests of Python, Go or Rust need; null for JavaScript. */
import type { Runner } from "../evidence/runner.ts";
import { goStubs, folderOf } from "../source/stubs/go.ts";
import { pythonStubs } from "../source/stubs/python.ts";
import { rustStubs } from "../source/stubs/rust.ts";
import type { Stub, StubFacts } from "../source/stubs/script.ts";
import { assertNever } from "../lib/assert-never.ts";
import type { Project } from "./project/project.ts";

type Facts = Pick<StubFacts, "tests" | "planned" | "read" | "late" | "passesOn">;

/** Reads the facts about the whole project that a language needs. */
export async function foreignStubs(
  { program }: Runner,
  head: Project,
): Promise<((facts: Facts) => readonly Stub[]) | null> {
  switch (program) {
    case undefined:
    case "sh":
      return null;
    case "python3":
      return pythonStubs;
    case "go": {
      const module = await goModule(head);
      const filesIn = (folder: string) =>
        [...head.files.keys()].filter((path) => path.endsWith(".go") && folderOf(path) === folder);
      return (facts) => goStubs({ ...facts, module, filesIn });
    }
    case "cargo": {
      const crate = await crateName(head);
      return (facts) => rustStubs({ ...facts, crate });
    }
    default:
      return assertNever(program);
  }
}

/** The name by which tests import the project: the Go module's path, or the crate's name. */
export async function ownName({ program }: Runner, project: Project): Promise<string | null> {
  if (program === "go") return goModule(project);
  return program === "cargo" ? crateName(project) : null;
}

async function goModule(project: Project): Promise<string | null> {
  const text = (await project.texts(["go.mod"])).get("go.mod") ?? "";
  return /^module\s+(\S+)/m.exec(text)?.[1] ?? null;
}

async function crateName(project: Project): Promise<string | null> {
  const text = (await project.texts(["Cargo.toml"])).get("Cargo.toml") ?? "";
  const name =
    /^\[lib\][^[]*?^name\s*=\s*"([^"]+)"/ms.exec(text) ??
    /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/ms.exec(text);
  return name?.[1]?.replaceAll("-", "_") ?? null;
}
