/** Decides which of jest's two loaders a project needs, from its configuration files. */
import { jest, jestOfModules } from "../../evidence/runners/jest.ts";
import type { Runner } from "../../evidence/runner.ts";
import type { Project } from "./project.ts";

/**
 * ES modules are loaded natively where the project's script or configuration requests it, or where nothing transforms them.
 * The script is read, never run.
 */
export async function jestFor(project: Project): Promise<Runner> {
  const names = [...project.files.keys()].filter((path) =>
    /^(package\.json|(jest|babel)\.config\..+|\.(babel|swc)rc(\..+)?)$/.test(path),
  );
  const texts = await project.texts(names);
  const modules = /experimental-vm-modules|extensionsToTreatAsEsm|\buseESM\b|default-esm/;
  const isRequested = [...texts.values()].some((text) => modules.test(text));
  const isModule = /"type"\s*:\s*"module"/.test(texts.get("package.json") ?? "");
  return isRequested || (isModule && ![...texts].some(transforms)) ? jestOfModules : jest;
}

function transforms([path, text]: readonly [string, string]): boolean {
  if (path === "package.json") return /"(babel|transform|preset)"\s*:/.test(text);
  return path.startsWith("jest") ? /\b(transform|preset)\b/.test(text) : true;
}
