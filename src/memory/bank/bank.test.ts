/** The files of the memory bank: creation, projection, fields and addresses. */
import { writeFileSync } from "node:fs";
import { chmod, mkdir, readFile, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { verifies } from "../../../test/verifies.ts";
import { readMemoryAddress } from "../../notation/memory-reference.ts";
import { changeFile } from "./change-file.ts";
import { createBank } from "./create.ts";
import { readFields, writeFields } from "./fields.ts";
import { readBank } from "./files.ts";
import { readAddress } from "./lookup.ts";
import { projectPart } from "./projection.ts";
import { readProtection } from "./protection.ts";
import { findReferences } from "./references.ts";
import { regionOf } from "./region.ts";

let root = "";
beforeEach(() => void (root = newFolder()));

const five = [
  "projectbrief.md",
  "systemPatterns.md",
  "techContext.md",
  "activeContext.md",
  "progress.md",
].map((name) => `memory-bank/${name}`);

async function put(name: string, text: string): Promise<void> {
  await mkdir(join(root, "memory-bank"), { recursive: true });
  await writeFile(join(root, "memory-bank", name), text);
}

function text(name: string): Promise<string> {
  return readFile(join(root, "memory-bank", name), "utf8");
}

async function shown(address: string): Promise<string> {
  return (await readAddress(root, readMemoryAddress(address))).text;
}

test("a new bank has five files, plus σ₆ if the protocol has one, and no broken references", async () => {
  expect(await createBank(root, { protection: false })).toEqual({ created: five, kept: [] });
  expect(await text("techContext.md")).toMatch(/^\[↗️σ₂:tech_stack\]\n/u);
  expect(findReferences(await readBank(root), { protection: false })).toMatchObject([
    { file: "memory-bank/techContext.md", line: 1, broken: null, to: "memory-bank/systemPatterns.md:9" },
  ]);
  const names = /σ₆|Ω_current|Λ|hand-?off/iu;
  for (const file of await readBank(root)) expect(file.text).not.toMatch(names);
  const protection = "memory-bank/protection.md";
  expect(await createBank(root, { protection: true })).toEqual({ created: [protection], kept: five });
});

test("existing files and links stay byte for byte", async () => {
  await put("projectbrief.md", "mine\r\n\u00ff");
  await symlink("/nowhere", join(root, "memory-bank", "progress.md"));
  const before = await readFile(join(root, "memory-bank", "projectbrief.md"));
  const { kept } = await createBank(root, { protection: false });
  expect(kept).toEqual(["memory-bank/projectbrief.md", "memory-bank/progress.md"]);
  expect((await readFile(join(root, "memory-bank", "projectbrief.md"))).equals(before)).toBe(true);
});

verifies(
  "TDP-51",
  "a part is projected, an edit in it is reported once and overwritten, and a note below it is kept",
  async () => {
    await createBank(root, { protection: false });
    const first = await projectPart(root, "σ₄", "- plan_approved: false", null);
    expect(first).toMatchObject({ written: true, edited: null });
    expect(await projectPart(root, "σ₄", "- plan_approved: false", first.hash)).toEqual({
      ...first,
      written: false,
    });
    const file = (await text("activeContext.md")).replace(": false", ": true");
    await put("activeContext.md", `${file}my note\u00e9`);
    const second = await projectPart(root, "σ₄", "- plan_approved: false", first.hash);
    expect(second.edited).toMatch(/^- plan_approved: true\n/u);
    const now = await text("activeContext.md");
    expect(now).toContain(regionOf("- plan_approved: false"));
    expect(now.endsWith("## Notes\nmy note\u00e9")).toBe(true);
    expect(await projectPart(root, "σ₄", "- plan_approved: false", null)).toMatchObject({
      written: false,
      edited: null,
    });
  },
);

test("a deleted file is recreated from its template, and no temporary files remain", async () => {
  const { edited } = await projectPart(root, "σ₅", "- ✅", null);
  expect(edited).toBe(null);
  expect(await text("progress.md")).toMatch(/^# Progress[\s\S]*- ✅[\s\S]*## Notes\n$/u);
  await chmod(join(root, "memory-bank", "progress.md"), 0o600);
  await projectPart(root, "σ₅", "- ❌", null);
  expect((await stat(join(root, "memory-bank", "progress.md"))).mode & 0o777).toBe(0o600);
  expect(await readdir(join(root, "memory-bank"))).toEqual(["progress.md"]);
});

test("nothing is written through a link to a file or a folder", async () => {
  const outside = newFolder();
  await put("projectbrief.md", "");
  await writeFile(join(outside, "x"), "theirs");
  await symlink(join(outside, "x"), join(root, "memory-bank", "activeContext.md"));
  await expect(projectPart(root, "σ₄", "x", null)).rejects.toMatchObject({ code: "state_unwritable" });
  await rm(join(root, "memory-bank"), { recursive: true });
  await symlink(outside, join(root, "memory-bank"));
  await expect(projectPart(root, "σ₅", "x", null)).rejects.toMatchObject({ code: "state_unwritable" });
  expect([await readdir(outside), await readFile(join(outside, "x"), "utf8")]).toEqual([["x"], "theirs"]);
});

test("twenty concurrent projections leave a complete file", async () => {
  await createBank(root, { protection: false });
  const texts = Array.from({ length: 20 }, (_, index) => `- n: ${index}`);
  const done = await Promise.allSettled(texts.map((each) => projectPart(root, "σ₄", each, null)));
  expect(done.some(({ status }) => status === "fulfilled")).toBe(true);
  const now = await text("activeContext.md");
  expect(texts.filter((each) => now.includes(`${regionOf(each)}\n`))).toHaveLength(1);
  expect((await readdir(join(root, "memory-bank"))).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("three fields of σ₂ are written, and the text of a person around them stays", async () => {
  await createBank(root, { protection: false });
  await put("systemPatterns.md", `${await text("systemPatterns.md")}\n## Mine\n\n[R1] stays\n`);
  const design = {
    architecture_design: "# Parts\n\nA and B",
    module_specifications: "A\n\nB",
    tech_stack: "Go",
  };
  expect(await writeFields(root, 2, design)).toEqual({ written: true });
  expect(await writeFields(root, 2, design)).toEqual({ written: false });
  expect(
    await readFields(root, 2, ["architecture_design", "module_specifications", "tech_stack", "none"]),
  ).toEqual({
    ...design,
    architecture_design: "### Parts\n\nA and B",
    none: null,
  });
  expect(await text("systemPatterns.md")).toMatch(/\n## Mine\n\n\[R1\] stays\n$/u);
  await put("systemPatterns.md", "## Tech Stack\n\n## Tech-Stack\n");
  await expect(writeFields(root, 2, design)).rejects.toMatchObject({ code: "bad_reference" });
  await writeFile(join(root, "memory-bank", "systemPatterns.md"), Buffer.from([0x23, 0xff]));
  await expect(writeFields(root, 2, design)).rejects.toMatchObject({ code: "memory_unreadable" });
});

test("an address shows a file, a field or a section, and follows a part that is only a reference", async () => {
  await createBank(root, { protection: false });
  await put("projectbrief.md", "# Brief\n\n- [R1] [↗️σ₂:tech_stack]\n- [R2] see [↗️σ₂:tech_stack]\n");
  await writeFields(root, 2, { tech_stack: "TypeScript" });
  expect(await shown("σ₁")).toBe(await text("projectbrief.md"));
  expect(await shown("s2.tech_stack")).toBe("TypeScript");
  expect(await shown("σ₁:R1")).toBe("TypeScript");
  expect(await shown("[↗️σ₁:R₁]")).toBe("TypeScript");
  expect(await shown("σ₁:R2")).toBe("- [R2] see [↗️σ₂:tech_stack]");
  await writeFields(root, 2, { tech_stack: "[↗️σ₁:R1]" });
  await expect(shown("σ₁:R1")).rejects.toMatchObject({
    code: "unknown_section",
    message: "references form a cycle: σ₁:R1 → σ₂.tech_stack → σ₁:R1",
  });
});

test("an unknown address is refused with the known ones", async () => {
  await expect(shown("σ₁")).rejects.toMatchObject({ code: "unknown_section", detail: { candidates: [] } });
  await createBank(root, { protection: false });
  await expect(shown("σ₂.none")).rejects.toMatchObject({
    code: "unknown_section",
    hint: "there are σ₂.system_patterns, σ₂.architecture_design, σ₂.module_specifications, σ₂.tech_stack",
  });
  await expect(shown("σ₆")).rejects.toMatchObject({ hint: "there are σ₁, σ₂, σ₃, σ₄, σ₅" });
  await put("projectbrief.md", "- [R1] a\n- [R1] b\n");
  await expect(shown("σ₁:R1")).rejects.toMatchObject({
    message: "σ₁:R1 is defined more than once: memory-bank/projectbrief.md:1, memory-bank/projectbrief.md:2",
  });
});

test("every broken reference is found with file and line, in subfolders too", async () => {
  await createBank(root, { protection: true });
  await put("projectbrief.md", "- [R1] a\n- [R2] b\n- [R2] c\n");
  await put(
    "techContext.md",
    "[↗️σ₁:R1] [↗️σ₁:R2]\n[↗️σ₁:R3]\n[↗️σ₉:R1] `[↗️σ₁:R7]`\n[↗️σ₆:protection]\n[↗️σ₂]\n",
  );
  await mkdir(join(root, "memory-bank", "modules"));
  await put("modules/a.md", "[↗️σ₅:none]\n");
  await projectPart(root, "σ₄", '- design_feedback: "[↗️σ₁:R8]"', null);
  const broken = async (protection: boolean) =>
    findReferences(await readBank(root), { protection })
      .filter((found) => found.broken !== null)
      .map(({ file, line, column, broken: why }) => `${file}:${line}:${column} ${why}`);
  const always = [
    "memory-bank/modules/a.md:1:1 σ₅ has no section or field none",
    "memory-bank/techContext.md:1:11 σ₁ defines R2 more than once: lines 2, 3",
    "memory-bank/techContext.md:2:1 σ₁ has no section or field R3",
  ];
  const noTarget = "memory-bank/techContext.md:5:1 it names no section or field";
  expect(await broken(true)).toEqual([
    ...always,
    "memory-bank/techContext.md:3:1 there is no such memory file: they are σ₁ to σ₆",
    noTarget,
  ]);
  expect(await broken(false)).toEqual([
    ...always,
    "memory-bank/techContext.md:3:1 there is no such memory file: they are σ₁ to σ₅",
    "memory-bank/techContext.md:4:1 there is no such memory file: they are σ₁ to σ₅",
    noTarget,
  ]);
  await rm(join(root, "memory-bank", "projectbrief.md"));
  expect(await broken(true)).toContain(
    "memory-bank/techContext.md:1:1 σ₁ is missing: there is no memory-bank/projectbrief.md",
  );
});

test("the patterns of σ₆ are read from the checkout; without the file there are none", async () => {
  expect(await readProtection(root)).toEqual([]);
  await createBank(root, { protection: true });
  expect(await readProtection(root)).toEqual([]);
  await put("protection.md", "# Protection\ndb/**\n");
  expect(await readProtection(root)).toEqual([{ glob: "db/**", written: "db/**", line: 2 }]);
  await put("protection.md", "# Protection\n\n[\n");
  await expect(readProtection(root)).rejects.toMatchObject({
    code: "bad_pattern",
    exitCode: 2,
    message: 'memory-bank/protection.md:3: "[": [ at column 1 is not closed',
    detail: { file: "memory-bank/protection.md", line: 3 },
  });
});

test("a file that a person saves during a projection is not lost", async () => {
  await put("progress.md", "mine\n");
  const place = join(root, "memory-bank", "progress.md");
  const seen: string[] = [];
  await changeFile(root, "memory-bank/progress.md", (before) => {
    seen.push(String(before));
    if (seen.length === 1) writeFileSync(place, "mine, saved\n");
    return Buffer.from(`${String(before)}part\n`);
  });
  expect(seen).toEqual(["mine\n", "mine, saved\n"]);
  expect(await text("progress.md")).toBe("mine, saved\npart\n");
});
