import { expect, test } from "vitest";
import { AppError } from "../../lib/errors.ts";
import { keywordHint, readTrigger } from "./trigger.ts";

function started(text: string, asked: string | null = null): string {
  const { protocol, task, hint } = readTrigger(text, asked, "usual");
  return `${protocol}: ${task}${hint === null ? "" : ` (${hint})`}`;
}

function refusal(text: string, asked: string | null = null) {
  try {
    return started(text, asked);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, exitCode, hint } = error;
    return { code, exitCode, hint };
  }
}

const elsewhere = { code: "usage", exitCode: 2, hint: keywordHint };

// The driver's half of ORC-03; the hook's half comes with the sessions.
test.each([
  ["@orchestrate Build a login page", "orchestrate: Build a login page"],
  ['/orchestrate "Build a login page"', "orchestrate: Build a login page"],
  ["@orchestrate\nBuild a login page\nwith a logo", "orchestrate: Build a login page\nwith a logo"],
  ["I thought about it.\n@orchestrate 'Build a login page'", "orchestrate: Build a login page"],
  ["```js\nlogin();\n```\n/orchestrate build this", "orchestrate: build this"],
  ["@orchestrated dances", "usual: @orchestrated dances"],
  ["@orchestrate-me please", elsewhere],
  ["docs/@orchestrate.md is old", elsewhere],
  ["what does @orchestrate do?", elsewhere],
  ["Please /orchestrate a login page", elsewhere],
  ["```\n@orchestrate Build a login page\n```", elsewhere],
  ["````\n```\n@orchestrate Build a login page\n````", elsewhere],
] as const)("of the prompt %j only a leading whole word outside fences starts a run", (prompt, expected) => {
  expect(refusal(prompt)).toEqual(expected);
});

test("a task without a keyword follows the protocol that is named, else that of the settings", () => {
  expect(started('"Build a login page"', "orchestrate")).toBe("orchestrate: Build a login page");
  expect(started("Build a login page", "riper")).toBe("riper: Build a login page");
  expect(started("@orchestrate x", "orchestrate")).toBe("orchestrate: x");
  expect(started("Build a login page")).toBe("usual: Build a login page");
});

test("an empty task and a keyword that disagrees with --protocol are refused", () => {
  for (const text of ["@orchestrate", "/orchestrate  ", '@orchestrate ""', "", "  "])
    expect(refusal(text)).toMatchObject({ code: "empty_task", exitCode: 2 });
  expect(refusal("@orchestrate x", "riper")).toMatchObject({ code: "protocol_conflict", exitCode: 2 });
});

test("backticks inline at the start of a line, and a fence that its quote ends, hide no keyword (fault P9)", () => {
  expect(started("```x``` is wrong\n@orchestrate Fix x")).toBe("orchestrate: Fix x");
  expect(started("> ```\n> code\n\n@orchestrate Fix x")).toBe("orchestrate: Fix x");
});
