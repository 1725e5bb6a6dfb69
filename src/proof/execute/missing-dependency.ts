/**
 * A dependency that the project declares and that is not installed: a fault of the environment, not of the change (CORE-45).
 * Only failures count that the base cannot have: those of a new declaration, or in a file that the base lacks.
 */
import { join } from "node:path";
import { fileOfTest } from "../../evidence/test-ids.ts";
import type { TestReport } from "../../evidence/test-result.ts";
import { exists } from "../../lib/files.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { dependenciesIn } from "../project/manifest.ts";
import type { Project } from "../project/project.ts";

export interface MissingSearch {
  readonly report: TestReport;
  readonly checkout: Checkout;
  /** Prefix of the package; empty for the root. */
  readonly prefix: string;
  readonly base: Manifests;
  /** The commit under test, whatever of it is in the checkout. */
  readonly head: () => Promise<Manifests>;
}

type Manifests = Pick<Project, "files" | "texts">;

/** @returns what is missing, with the line that says so; null if no failure is due to it */
export async function missingDependency({
  report: { tests, loadErrors },
  checkout,
  prefix,
  base,
  head,
}: MissingSearch): Promise<string | null> {
  const failures = [
    ...loadErrors,
    ...tests.flatMap(({ id, status, message }) =>
      status === "failed" ? [{ file: fileOfTest(id), message }] : [],
    ),
  ];
  for (const { file, message } of failures) {
    const [line = "", name = ""] = absent.exec(message) ?? absentInPython.exec(message) ?? [];
    if (name === "") continue;
    const isPython = line.startsWith("No module named");
    const declared = isPython ? declaredInPython : declaredInNode;
    const own = isPython ? name.toLowerCase().replaceAll("_", "-") : name;
    const at = declared(own, places(prefix), await manifestsOf(await head()));
    if (at === null || (!isPython && (await isInstalled(own, checkout.path, prefix)))) continue;
    const isOld = declared(own, places(prefix), await manifestsOf(base)) !== null;
    if (isOld && base.files.has(file)) continue;
    return `${at} declares ${own}, which is not installed: ${lineOf(message, line)}`;
  }
  return null;
}

const absent =
  /(?:Cannot find (?:module|package)|Failed to (?:resolve|load) (?:import|url)) ['"]?((?:@[\w.-]+\/)?\w[\w.-]*)/u;
const absentInPython = /No module named '?(\w+)/u;
const isManifest = /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.cfg|requirements[\w.-]*\.txt)$/u;

function lineOf(message: string, part: string): string {
  return (message.split("\n").find((line) => line.includes(part)) ?? part).trim().slice(0, 300);
}

/** The package's folder and those around it, the root last. */
function places(prefix: string): readonly string[] {
  const parts = prefix.split("/").filter((part) => part !== "");
  return [...parts.map((_part, depth) => `${parts.slice(0, parts.length - depth).join("/")}/`), ""];
}

type Texts = ReadonlyMap<string, string>;

function manifestsOf({ files, texts }: Manifests): Promise<Texts> {
  return texts([...files.keys()].filter((path) => isManifest.test(path)));
}

/** The file that declares the package, or null. */
function declaredInNode(name: string, folders: readonly string[], texts: Texts): string | null {
  const lists = ["dependencies", "devDependencies"];
  const paths = folders.map((folder) => `${folder}package.json`);
  return paths.find((path) => dependenciesIn(texts.get(path) ?? "", lists).has(name)) ?? null;
}

function declaredInPython(name: string, folders: readonly string[], texts: Texts): string | null {
  for (const [path, text] of texts) {
    const isAround = folders.some(
      (folder) => path.startsWith(folder) && !path.slice(folder.length).includes("/"),
    );
    if (!isAround || path.endsWith("package.json")) continue;
    const words = text.toLowerCase().replaceAll("_", "-").matchAll(requirement);
    if ([...words].some(([, word]) => word === name)) return path;
  }
  return null;
}

const requirement = /(?:^|["'\s])([a-z0-9][a-z0-9.-]*)(?=$|[\s<>=!~;["',])/gmu;

async function isInstalled(name: string, root: string, prefix: string): Promise<boolean> {
  for (const folder of places(prefix))
    if (await exists(join(root, folder, "node_modules", name))) return true;
  return false;
}
