/** The commands that judge a change, check evidence and land a result. */
import { argument, flag, option, options, type Input } from "../../lib/command-line/row.ts";
import type { MettleCommand } from "../command.ts";
import { newest } from "./shared.ts";

const bundleOut = option("bundle-out FILE", "write the evidence as one file for `mettle verify --bundle`");

const revisions: readonly Input[] = [
  option("base REV", "the commit before the change"),
  option("head REV", "the commit to judge (default: HEAD)"),
  option("criteria FILE", "a file of criteria: each needs a test that names its id"),
  options("accept-test ID", "accept a test as it is, by its id"),
  option("out FILE", "write the evidence record as JSON"),
  bundleOut,
  flag("again", "execute the tests, even if the same question was answered before"),
  options(
    "report FORMAT=FILE",
    "write a report: json, junit, ctrf, sarif, in-toto, codequality or markdown; FILE - is stdout",
  ),
];

export const proof: readonly MettleCommand[] = [
  {
    name: "prove",
    summary: "prove a change between two commits by its tests",
    inputs: [
      ...revisions,
      flag("characterize", "prove new tests that pass on the base by mutants of the code that they execute"),
      option("ci HOST", "take the commits from the job, and print annotations and a summary for it", {
        oneOf: ["github", "gitlab"],
      }),
    ],
    load: () => import("../commands/prove.ts"),
  },
  {
    name: "gate",
    summary: "run one gate of the protocols on two commits",
    inputs: [
      argument("gate", "red, green, refactor, merge, final", {
        oneOf: ["red", "green", "refactor", "merge", "final"],
      }),
      ...revisions,
      options("accept-export PATH::NAME", "refactor: accept a change of this export"),
      option("red REV", "green, final: the commit of the tests (default: found by its trailers)"),
      options(
        "planned FILE",
        "red, green: source files that will change; missing ones are replaced by stubs",
      ),
    ],
    load: () => import("../commands/gate.ts"),
  },
  {
    name: "verify",
    summary: "check the evidence of a run or a bundle",
    inputs: [
      newest,
      flag("replay", "execute every recorded test run again"),
      bundleOut,
      option("bundle FILE", "check this bundle instead of a run; only its commits must be here"),
      options(
        "key ID",
        "with --bundle: the key that must have signed it, sha256:…; each one, if several workers signed",
      ),
      option("export FORMAT", "print the result as an attestation", { oneOf: ["in-toto"] }),
    ],
    load: () => import("../commands/verify.ts"),
  },
  {
    name: "land",
    summary: "bring a proven result into your branch",
    inputs: [newest],
    load: () => import("../commands/land.ts"),
  },
];
