// The cassette of one change: every role is scripted, so that only Mettle judges.
const approve = { status: "APPROVED", message: "fine" };
const topics = ["inputs", "outputs", "edge cases", "constraints", "success criteria"];

/** `tests` and `changes` are files by path; `titles` are the tests of the plan; `plan` lists each planned file. */
export function cassetteOf({ name, about, plan, titles, tests, changes }) {
  return {
    version: 1,
    kind: "cassette",
    vendors: { gemini: "google", claude: "anthropic" },
    roles: {
      intake: [
        {
          report: {
            status: "QUESTIONS",
            message: "",
            payload: {
              questions: topics.map((topic, index) => ({ id: `Q${index + 1}`, topic, text: `${topic}?` })),
            },
          },
        },
        {
          does: writes({ ".claude/temp/spec.md": specFor(name, about) }),
          report: { status: "WRITTEN", message: "" },
        },
      ],
      planner: [
        {
          does: writes({ ".claude/temp/architecture.md": architectureFor(plan, titles) }),
          report: { status: "WRITTEN", message: "" },
        },
      ],
      tester: [{ does: writes(tests), report: { status: "RC", message: "" }, repeat: true }],
      coder: [
        {
          does: [...writes(changes), { say: "Done. All tests pass." }],
          report: { status: "GC", message: "all tests pass" },
          repeat: true,
        },
      ],
      gemini: [
        "VERDICT: APPROVED\nISSUES: none\nSUGGESTIONS: none",
        "VERDICT: APPROVED\nCOVERAGE_CHECK: YES\nRED_PHASE_CHECK: YES\nISSUES: none",
        "VERDICT: APPROVED\nEXECUTION_CHECK: YES\nCODE_QUALITY: fine\nSECURITY_ISSUES: none\nISSUES: none",
      ].map((say) => ({ does: [{ say }] })),
      claude: [
        review("plan-review.md", "VERDICT: APPROVED\nISSUES: none\nSUGGESTIONS: none\n"),
        review(
          "test-review.md",
          "VERDICT: APPROVED\nRED_PHASE_VALID: YES\nCOVERAGE:\n- FR1: covered\nISSUES: none\n",
        ),
        review(
          "code-review.md",
          "VERDICT: APPROVED\nEXIT_CODE: 0\nCRITICAL_ISSUES: none\nWARNINGS: none\nSUGGESTIONS: none\n",
        ),
      ],
    },
  };
}

function writes(files) {
  return Object.entries(files).map(([path, content]) => ({ write: { path, content } }));
}

function review(file, content) {
  return { does: writes({ [`.claude/temp/${file}`]: content }), report: approve };
}

function specFor(name, about) {
  return `# ${name}\n\n## Overview\n${about}\n\n## Functional Requirements\n- FR1: behaves as the README says\n\n## Inputs\nSee README.\n\n## Outputs\nSee README.\n\n## Edge Cases\nnone\n\n## Error Handling\nnone\n\n## Constraints\nnone\n\n## Success Criteria\nAll tests pass.\n\n## Out of Scope\nnone\n`;
}

function architectureFor(plan, titles) {
  const planned = titles.map((title) => `"${title.replaceAll('"', "'")}"`).join(", ");
  const files = Object.entries(plan).map(([path, what]) => `- \`${path}\`: ${what}`);
  return `# Architecture\n\n## File Structure\n${files.join("\n")}\n\n## TDD Strategy\n- FR1: ${planned}\n`;
}
