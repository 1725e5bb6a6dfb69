/** Finds the requirements that a reviewer's COVERAGE list calls not covered. Owns the phrases for "not covered". */
export function uncovered(coverage: string): readonly string[] {
  const found: string[] = [];
  let heading = false;
  for (const line of coverage
    .split("\n")
    .map((text) => text.replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, "").trim())) {
    if (line === "") continue;
    const ids = /\b(?:FR|EC|ERR)-?\d+\b/i.test(line);
    if (!ids) {
      // A heading "Not covered:" applies to the lines below it, up to the next heading.
      if (/:\W*$/.test(line)) heading = negative.test(line);
      continue;
    }
    if (negative.test(line) || bareNo.test(line) || (heading && !positive.test(line))) found.push(line);
  }
  return found;
}

const negative =
  /(?:\b(?:not|never|nowhere)|n['’]t)\s+(?:\w+\s+){0,2}(?:covered|tested|addressed|checked)\b|\b(?:uncovered|untested|missing|lacks?|partial|partially|no tests?)\b|[✗✘❌]/i;
const positive = /(?:^|[^\w])(?:is\s+)?covered\b/i;
/** `FR1: NO`, `| FR1 | no |`. */
const bareNo = /\b(?:FR|EC|ERR)-?\d+\b[*_`\])]*\s*[:|=–—-]\s*(?:no|none)\b/i;
