/** Passes on the lines of a runner that tell of a test, while it runs: for display, never evidence (SEE-01). */
import { mask } from "../../lib/mask.ts";
import { cleanLine } from "../../lib/text.ts";
import type { RunOptions } from "../../process/run.ts";
import type { ProofPorts } from "../ports.ts";

/** The marks and words of the supported runners. */
const ofTest = /[✔✓√✖✗×✘]|^(?:not )?ok \d|\b(?:PASS|FAIL|PASSED|FAILED)\b|^test .+ \.\.\. /u;
const maxLine = 300;

export function testLines({ progress, secrets }: ProofPorts): Pick<RunOptions, "onStdout"> {
  if (progress === undefined) return {};
  return {
    onStdout(chunk) {
      const lines = chunk.toString("utf8").split("\n");
      const line = lines.findLast((one) => ofTest.test(one));
      if (line !== undefined) progress(mask(cleanLine(line).trim(), secrets).slice(0, maxLine));
    },
  };
}
