/** What the tests of a package read outside their checkout: its dependencies, its toolchain, and files that settings name. */
import { access, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { allNeeds } from "../../config/test-variables.ts";
import { isAtOrBelow } from "../../process/sandbox/confinement.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { FoundRunner } from "../project/locate-runner.ts";
import type { ProofPorts } from "../ports.ts";

export async function readsOf(
  { tests, env = {} }: ProofPorts,
  { dependencies }: Checkout,
  found: FoundRunner | undefined,
): Promise<readonly string[]> {
  const named = allNeeds(tests).flatMap((needs) =>
    Object.entries(needs.env ?? {}).map(([name, value]) => value ?? env[name] ?? ""),
  );
  const program = found?.program;
  return [
    ...dependencies,
    ...named
      .flatMap((value) => value.split(delimiter))
      .filter((path) => isAbsolute(path) && !isTemporary(path)),
    ...(found === undefined ? [] : found.runner.assets),
    ...(found?.entry == null ? [] : [found.entry]),
    ...(found?.runner.program === "python3" && program != null ? await pythonFolders(program.path) : []),
    ...(program?.env["GOMODCACHE"] === undefined ? [] : [program.env["GOMODCACHE"]]),
    ...cargoFolders(program?.env["CARGO_HOME"]),
  ];
}

/** Tests have temporary folders of their own. */
function isTemporary(path: string): boolean {
  return ["/tmp", "/var/tmp", tmpdir()].some((folder) => isAtOrBelow(path, folder));
}

/** Without its file of logins. */
function cargoFolders(home: string | undefined): readonly string[] {
  const names = ["config", "config.toml", "git", "registry"];
  return home === undefined ? [] : names.map((name) => join(home, name));
}

const known = new Map<string, Promise<readonly string[]>>();

/** The virtual environment, and folders of other projects that are installed in it as editable. */
function pythonFolders(program: string): Promise<readonly string[]> {
  const found = known.get(program) ?? findPythonFolders(dirname(dirname(program)));
  known.set(program, found);
  return found;
}

async function findPythonFolders(prefix: string): Promise<readonly string[]> {
  const isVirtual = await access(join(prefix, "pyvenv.cfg")).then(
    () => true,
    () => false, // an installation, which is shown as the program's
  );
  const versions = await readdir(join(prefix, "lib")).catch(() => []); // no packages
  const editable = versions
    .filter((name) => name.startsWith("python"))
    .map((name) => editableFolders(join(prefix, "lib", name, "site-packages")));
  return [...(isVirtual ? [prefix] : []), ...(await Promise.all(editable)).flat()];
}

/** Absolute paths in the files by which Python finds such projects. */
async function editableFolders(site: string): Promise<readonly string[]> {
  const names = await readdir(site).catch(() => []); // no packages
  const files = names.filter((name) => name.endsWith(".pth") || /^__editable__.*\.py$/u.test(name));
  const texts = await Promise.all(files.map((name) => readFile(join(site, name), "utf8").catch(() => "")));
  return texts.flatMap((text) => [...text.matchAll(/^\/.*$|(?<=')\/[^'\n]+(?=')/gmu)].map(([path]) => path));
}
