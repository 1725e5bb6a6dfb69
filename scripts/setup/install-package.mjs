// Installs one package of npm, with its version, into a separate folder.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanEnvironment } from "./environment.mjs";
import { npm } from "./npm.mjs";
import { runStep } from "./step.mjs";

/** @returns 0, or the exit code of a reported failure */
export async function installPackage(name, folder) {
  mkdirSync(folder, { recursive: true });
  // A package.json, so that npm does not use the one of this repository.
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const [file, first] = npm();
  const flags = ["--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error"];
  return runStep({
    name: `npm install ${name}`,
    code: "install_failed",
    hint: "check that the npm registry can be reached, then try again",
    file,
    argv: [...first, "install", ...flags, name],
    env: cleanEnvironment(),
    timeoutMs: 10 * 60_000,
  });
}
