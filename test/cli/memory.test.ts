/** `mettle memory` in a repository with a memory bank and the observations of two runs. */
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { openHost } from "../../src/run/host.ts";
import { newFolder } from "../support/folder.ts";
import { createRepository, type TempRepository } from "../support/repository.ts";
import { inCi, verifies, verifiesInCi } from "../verifies.ts";
import { callHere, type InProcessResult } from "./here.ts";

let repository: TempRepository;
let home = "";
beforeAll(async () => {
  repository = await createRepository();
  home = newFolder();
});

function mettle(...args: string[]): Promise<InProcessResult> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, METTLE_HOME: home };
  return callHere(args, { cwd: repository.dir, env });
}

async function json(...args: string[]): Promise<Record<string, unknown>> {
  return JSON.parse((await mettle(...args, "--json")).stdout) as Record<string, unknown>;
}

test("show prints a file, a field or a section, by symbols or by ASCII names", async () => {
  expect(await mettle("memory", "show", "σ₂")).toMatchObject({ code: 2, stdout: "" });
  await repository.write({
    "memory-bank/projectbrief.md": "# Brief\n\n- [R1] A visitor logs in.\n- [R2] [↗️σ₂:tech_stack]\n",
    "memory-bank/systemPatterns.md": "## Tech Stack\n\nGo \u001b[31mred\n",
  });
  const shown = async (address: string) => (await mettle("memory", "show", address)).stdout;
  expect(await shown("σ₁:R1")).toBe("- [R1] A visitor logs in.\n");
  expect(await shown("s1:R₁")).toBe("- [R1] A visitor logs in.\n");
  expect(await shown("s2")).toBe("## Tech Stack\n\nGo red\n");
  expect(await shown("σ₂.tech_stack")).toBe("Go red\n");
  expect(await shown("σ₁:R2")).toBe("Go red\n");
  expect(await json("memory", "show", "[↗️σ₁:R2]")).toEqual({
    version: 1,
    address: "σ₂.tech_stack",
    path: "memory-bank/systemPatterns.md",
    line: 1,
    text: "Go \u001b[31mred",
    via: ["[↗️σ₂:tech_stack]"],
  });
});

test("an unknown address is refused with the known ones", async () => {
  expect(await mettle("memory", "show", "σ₂.none")).toEqual({
    code: 2,
    stdout: "",
    stderr: 'error[unknown_section]: σ₂ has no section or field "none"\nhint: there are σ₂.tech_stack\n',
  });
  expect((await mettle("memory", "show", "σ₉")).stderr).toContain("error[unknown_memory]");
  expect((await mettle("memory", "show")).stderr).toContain("error[usage]: <address> is missing");
  expect((await mettle("memory", "shwo")).stderr).toContain("did you mean `mettle memory show`?");
});

verifies(
  "TDP-48",
  "check exits with 0 if every reference has one target, and with 1 and file and line of each that has not",
  async () => {
    expect(await mettle("memory", "check")).toMatchObject({
      code: 0,
      stdout: "1 reference, none is broken\n",
    });
    const brief = await readFile(join(repository.dir, "memory-bank/projectbrief.md"), "utf8");
    const checked = async (line: string, ...more: string[]) => {
      await repository.write({ "memory-bank/techContext.md": `# Tech Context\n\n${line}\n` });
      const { code, stdout } = await mettle("memory", "check", ...more);
      return `${code} ${stdout.trimEnd()}`;
    };
    const place = "memory-bank/techContext.md:3";
    // A section, a list item and a field, in both spellings.
    await repository.write({
      "memory-bank/projectbrief.md": `${brief}\n## Later [R₃]\n\nx\n\n**Limits**: 3\n`,
    });
    expect(await checked("[↗️σ₁:R3] [↗️σ₁:R₁] [↗️σ₁:limits]")).toBe("0 4 references, none is broken");
    expect(await checked("see [↗️σ₁:R7]")).toBe(`1 ${place}:5: [↗️σ₁:R7]: σ₁ has no section or field R7`);
    expect(await checked("[↗️σ₂:data_flow]")).toContain(`1 ${place}:1: [↗️σ₂:data_flow]: σ₂ has no section`);
    expect(await checked("[↗️σ₉:R1]")).toContain(`1 ${place}:1: [↗️σ₉:R1]: there is no such memory file`);
    expect(await checked("[↗️σ₅:R1]")).toContain(`1 ${place}:1: [↗️σ₅:R1]: σ₅ is missing`);
    await repository.write({ "memory-bank/projectbrief.md": `${brief}\n- [R2] again\n` });
    expect(await checked("[↗️σ₁:R2]")).toBe(
      `1 ${place}:1: [↗️σ₁:R2]: σ₁ defines R2 more than once: lines 4, 6`,
    );
    await repository.write({ "memory-bank/projectbrief.md": brief });
    const sixth = "[↗️σ₆:R1]";
    expect(await checked(sixth)).toBe(
      `1 ${place}:1: ${sixth}: there is no such memory file: they are σ₁ to σ₅`,
    );
    await repository.write({ "memory-bank/protection.md": "# [R1] Database\ndb/**\n" });
    expect(await checked(sixth)).toBe("0 2 references, none is broken");
    expect(await checked(sixth, "--protocol", "dptr")).toContain(`1 ${place}:1: ${sixth}: there is no such`);
    expect(await json("memory", "check")).toMatchObject({ references: { length: 2 }, broken: [] });
    expect((await mettle("memory", "check", "--protocol", "orchestrate")).code).toBe(2);
    // `show` follows a reference: as its address, and if a part is only a reference.
    expect((await mettle("memory", "show", "[↗️σ₁:R1]")).stdout).toBe("- [R1] A visitor logs in.\n");
    expect((await mettle("memory", "show", "σ₁:R2")).stdout).toBe("Go red\n");
  },
);

inCi("query prints the observations of the run's own sessions, by any pattern and in pages", async () => {
  const host = await openHost(repository.dir, { METTLE_HOME: home });
  for (const [run, session] of [
    ["one", "PLAN_1"],
    ["two", "PLAN_2"],
  ] as const) {
    const entries = [0, 1, 2].flatMap((round) =>
      ["MT", "QA", "DE"].map((agent) => ({ session, round, agent, content: `${agent}\n${round}` })),
    );
    const beside = { opens: [{ name: session, kind: "plan_loop" as const }], observations: entries };
    await host.journal.append(run, 0, [{ type: "x", data: {} }], beside);
  }
  await host.journal.close();
  const query = async (pattern: string, ...more: string[]) => {
    const { observations, next } = await json("memory", "query", "one", pattern, ...more);
    const list = observations as readonly { agent: string; round: number }[];
    return { found: list.map(({ agent, round }) => `${agent}${round}`).join(" "), next };
  };
  const all = "MT0 QA0 DE0 MT1 QA1 DE1 MT2 QA2 DE2";
  expect(await query("OBS[*,*,*,*]")).toEqual({ found: all, next: null });
  expect(await query("OBS[SPLAN_1,R{current},*,*]", "--round", "2")).toMatchObject({
    found: "MT2 QA2 DE2",
  });
  expect(await query("OBS[SPLAN_1,R{n-1},*,*]", "--round", "2")).toMatchObject({ found: "MT1 QA1 DE1" });
  expect(await query("OBS[SPLAN_1,R{n-1},*,*]", "--round", "0")).toMatchObject({ found: "" });
  expect(await query("OBS[SPLAN_1,*,A:QA,*]")).toMatchObject({ found: "QA0 QA1 QA2" });
  expect(await query("OBS[SPLAN_2,*,*,*]")).toMatchObject({ found: "" });
  expect(await query("OBS[*,*,*,*]", "--limit", "4")).toEqual({ found: "MT0 QA0 DE0 MT1", next: 4 });
  expect(await query("OBS[*,*,*,*]", "--limit", "5", "--after", "4")).toEqual({
    found: "QA1 DE1 MT2 QA2 DE2",
    next: null,
  });
  const { stdout } = await mettle("memory", "query", "one", "OBS[*,R1,A:QA,*]");
  expect(stdout).toMatch(/^OBS\[SPLAN_1,R1,A:QA,T:[^\]]+\]: QA\\n1\n$/u);
  expect((await mettle("memory", "query", "one", "OBS[SPLAN_2,*,*,*]")).stdout).toContain(
    "sessions of this run: PLAN_1",
  );
});

test("an invalid pattern, round or run is refused with its position", async () => {
  const refused = async (...args: string[]) => {
    const { code, stderr } = await mettle("memory", "query", ...args);
    return `${code} ${stderr.split("\n")[0] ?? ""}`;
  };
  expect(await refused("one", "OBS[SX,R1]")).toContain("2 error[bad_pattern]: column 10: ");
  expect(await refused("one", "OBS[SX,R{current},*,*]")).toContain("error[bad_pattern]: column 9: ");
  expect(await refused("one", "OBS[*,*,*,*]", "--limit", "few")).toContain(
    "error[usage]: --limit takes a whole number",
  );
  expect(await refused("none", "OBS[*,*,*,*]")).toContain("error[run_unknown]");
  expect(await refused("one")).toContain("error[usage]: <pattern> is missing");
});

verifies("TDP-47", "init creates the five files of a bank in an empty repository", async () => {
  const empty = await createRepository({ commit: false });
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, METTLE_HOME: home };
  const here = (...args: string[]) => callHere(args, { cwd: empty.dir, env });

  expect((await here("init", "--protocol", "dptr")).code).toBe(0);
  const five = ["activeContext.md", "progress.md", "projectbrief.md", "systemPatterns.md", "techContext.md"];
  expect((await readdir(join(empty.dir, "memory-bank"))).toSorted()).toEqual(five);
  const { stdout } = await here("memory", "show", "σ₃");
  expect(stdout).toMatch(/^\[↗️σ₂:tech_stack\]\n/u);
  expect(await here("memory", "show", "σ₂.nothing")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^error\[unknown_section\]: .*\nhint: there are .*σ₂\.architecture_design, .*σ₂\.tech_stack/u,
    ) as string,
  });
});

verifiesInCi(
  "TDP-47",
  "init creates the bank of a protocol that has one, keeps existing files, and show prints every part",
  async () => {
    const other = await createRepository({ files: { "memory-bank/projectbrief.md": "- [R1] Mine\r\n" } });
    const env = { PATH: process.env["PATH"] ?? "", HOME: home, METTLE_HOME: home };
    const here = (...args: string[]) => callHere(args, { cwd: other.dir, env });

    const { stdout, code } = await here("init", "--protocol", "dptr", "--json");
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { kept: ["memory-bank/projectbrief.md"] }]);
    expect(stdout).toContain("mettle run --protocol dptr 'Build a login page'");
    expect(await readFile(join(other.dir, "memory-bank/projectbrief.md"), "utf8")).toBe("- [R1] Mine\r\n");
    const shown = async (address: string) => (await here("memory", "show", address)).stdout;
    expect(await shown("σ₁:R1")).toBe("- [R1] Mine\n");
    expect(await shown("σ₃")).toMatch(/^\[↗️σ₂:tech_stack\]\n/u);
    expect(await shown("σ₂")).toContain("## Module Specifications\n");
    expect(await shown("σ₄.state")).toContain("No run has written here yet.");
    expect(await here("memory", "check")).toMatchObject({ code: 0 });
    expect((await here("memory", "show", "σ₆")).stderr).toContain("hint: there are σ₁, σ₂, σ₃, σ₄, σ₅");
    expect((await here("init", "--protocol", "riper")).stdout).toContain(
      "written: memory-bank/protection.md",
    );
    expect((await here("init", "--protocol", "ripper")).stderr).toContain(
      "error[protocol_unknown]: there is no protocol ripper\nhint: did you mean riper?",
    );
    expect((await here("init", "--remove")).code).toBe(0);
    expect(await readdir(join(other.dir, "memory-bank"))).toEqual(["projectbrief.md"]);
  },
);

test("a worktree without a memory bank shows the one of the main checkout", async () => {
  const worktree = join(home, "worktree");
  await repository.git("worktree", "add", "--quiet", worktree);
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, METTLE_HOME: home };
  const shown = await callHere(["memory", "show", "σ₂.tech_stack"], { cwd: worktree, env });
  expect(shown).toMatchObject({ code: 0, stdout: "Go red\n" });
  expect(await readFile(join(repository.dir, "memory-bank/systemPatterns.md"), "utf8")).toContain("Go");
});
