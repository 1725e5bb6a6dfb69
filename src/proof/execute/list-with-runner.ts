/** Runs a package's runner in a clean checkout to list the files that hold tests. */
import { join } from "node:path";
import type { TestFileList, Lister } from "../../evidence/runner.ts";
import { mask } from "../../lib/mask.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { ProofPackage, ProofSetting } from "../proof-package.ts";
import { owns } from "../setting.ts";
import { expandGlobs } from "./shell-globs.ts";
import {
  clear,
  makeRunFolders,
  reportAt,
  withoutCheckoutPath,
  startRunner,
  textsOf,
} from "./start-runner.ts";

export interface RunnerListRequest extends Pick<ProofSetting, "ports"> {
  readonly one: ProofPackage;
  readonly checkout: Checkout;
  readonly lister: Lister;
}

/** The list, or the reason why there is none, with the runner's output. */
export async function listWithRunner({
  ports,
  one,
  checkout,
  lister,
}: RunnerListRequest): Promise<TestFileList | string> {
  const { found, prefix, config, setup } = one;
  const project = join(checkout.path, prefix.slice(0, -1));
  const place = await makeRunFolders(checkout);
  const paths = checkout.files.filter((path) => owns(one, path)).map((path) => path.slice(prefix.length));
  const read = paths.filter((path) => lister.reads?.(path) === true);
  const texts = await textsOf(project, read);
  const argv = (pythonPath: string) =>
    lister.argv({
      pythonPath,
      entry: found.entry,
      project,
      ...(config === null ? {} : { config: join(project, config) }),
      args: lister.takesPatterns === true ? setup.listArgs : expandGlobs(setup.listArgs, paths),
      report: place.report,
    });
  ports.progress?.(`listing the test files with ${found.name}`);
  const { ran, output } = await startRunner({ ports, checkout, found, setup, project, place, argv });
  const listed = lister.parse({
    exitCode: ran.exitCode,
    stdout: ran.stdout.toString("utf8"),
    stderr: ran.stderr.toString("utf8"),
    report: await reportAt(place.report),
    project,
    texts,
    args: setup.listArgs,
  });
  await clear(place, null);
  if (listed !== null) return listed;
  const secrets = [...ports.secrets, ...setup.secrets];
  const lines = mask(withoutCheckoutPath(output, checkout), secrets).trim().split("\n");
  const words = lines.filter((line) => line.trim() !== "" && !/^\s+at /.test(line)).slice(-5);
  const end =
    ran.failedToStart ?? (ran.timedOut ? "it did not end in time" : `exit code ${ran.exitCode ?? "none"}`);
  return `${found.name} gave no list of test files (${end}): ${words.join("\n")}`;
}
